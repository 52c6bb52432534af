import Kernels
import Tokenizers
import Transformers

/// Loads a model: first what its headers say, then admission, then the weights.
struct ModelLoader {
  private let reference: ModelReference
  private let package: ModelPackage
  private let plan: ModelPlan
  private let identity: String
  private let backend: MatmulBackend
  private let keyValueType: KVType
  private let store: PreparedStore?
  private let progress: @Sendable (LoadProgress) -> Void

  /// Tokens of a prompt that are read at a time.
  static let chunk = 256

  /// Opens and checks the files; `store` has prepared weights of earlier loads.
  ///
  /// - Throws: what is wrong with them, by name.
  init(
    _ reference: ModelReference, store: PreparedStore?,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) throws {
    progress(LoadProgress(.reading))
    try self.init(
      reference, package: ModelPackage(path: reference.path), store: store, progress: progress)
  }

  /// Checks that the files are those of a model, from their headers.
  ///
  /// - Throws: what is wrong with them, by name.
  static func check(_ reference: ModelReference) throws {
    let (source, settings) = try ModelPackage.open(path: reference.path)
    _ = try ModelPlan(source, settings: settings)
  }

  /// Checks files that are open.
  ///
  /// - Throws: what is wrong with them, by name.
  init(
    _ reference: ModelReference, package: ModelPackage, store: PreparedStore? = nil,
    progress: @escaping @Sendable (LoadProgress) -> Void = { _ in }
  ) throws {
    self.reference = reference
    self.progress = progress
    self.package = package
    self.store = store
    identity = ModelIdentity.text(path: reference.path)
    plan = try ModelPlan(package.source, settings: package.settings)
    guard package.tokenizer.count <= plan.configuration.vocabularySize else {
      throw EngineError.vocabularyMismatch(
        tokens: package.tokenizer.count, rows: plan.configuration.vocabularySize)
    }
    backend = try MatmulBackend(reference.options.backend ?? .simd)
    keyValueType = KVType(reference.options)
  }

  /// Gets the weights, once `budget` admits them: from the file of an earlier load, else through such a
  /// file, else in memory.
  ///
  /// - Throws: `MemoryRefusal` before anything big is allocated.
  func load(budget: MemoryBudget) throws -> ResidentModel {
    let compute = try Compute(threads: reference.options.threads ?? defaultThreadCount())
    if let store {
      let path = store.path(ofModel: reference.path)
      if let file = try? plan.openPrepared(path: path, identity: identity),
        let model = try attempt(.mapped(file, path: path), compute: compute, budget: budget)
      {
        return model
      }
      if mayWrite(path, in: store, budget: budget),
        let model = try attempt(.written(path: path), compute: compute, budget: budget)
      {
        return model
      }
    }
    return try load(.memory, compute: compute, budget: budget)
  }

  /// Whether the weights may go into a file.
  ///
  /// What has just been written cannot be dropped before the disk has it, so a load that barely fits is
  /// not the time.
  private func mayWrite(_ path: String, in store: PreparedStore, budget: MemoryBudget) -> Bool {
    let weights = plan.totals.preparedByteCount
    let isRoomy = budget.machine().available.map { $0 / 2 >= weights } ?? true
    return isRoomy && store.makeRoom(for: weights, at: path)
  }

  /// Nil where another way may do better; what is wrong with the file goes.
  private func attempt(
    _ placement: WeightPlacement, compute: Compute, budget: MemoryBudget
  ) throws -> ResidentModel? {
    do {
      return try load(placement, compute: compute, budget: budget)
    } catch {
      guard placement.isOwnFailure(error) else { throw error }
      store?.remove(ofModel: reference.path)
      return nil
    }
  }

  private func load(
    _ placement: WeightPlacement, compute: Compute, budget: MemoryBudget
  ) throws -> ResidentModel {
    let threads = compute.pool.threads
    let (context, memory) = try admit(budget, threads: threads, placement)
    let marker = try budget.beginLoad(
      path: reference.path, name: reference.name, byteCount: plan.totals.preparedByteCount)
    let transformer = try transformer(placement, compute: compute)
    let workspace = Workspace(
      transformer.configuration, capacity: Self.chunk, context: context, threads: threads)
    let prompts = try PromptBuilder(
      templateSource: package.template, tokenizer: package.tokenizer,
      endOfTurn: package.endOfTurn)
    marker?.succeed()
    progress(LoadProgress(.ready))
    return ResidentModel(
      reference: reference, description: description(thinking: prompts.thinking),
      tokenizer: package.tokenizer, prompts: prompts, endOfTurn: package.endOfTurn,
      transformer: transformer, workspace: workspace,
      backend: backend, keyValueType: keyValueType, context: context, memory: memory,
      identity: identity)
  }

  private func transformer(_ placement: WeightPlacement, compute: Compute) throws -> Transformer {
    let total = plan.totals.sourceByteCount
    switch placement {
    case .mapped(let file, let path):
      progress(LoadProgress(.mapping))
      store?.touch(path)
      return try plan.load(compute: compute, from: file)
    case .written(let path):
      progress(LoadProgress(.preparing, done: 0, total: total))
      return try plan.load(
        compute: compute, into: path, identity: identity,
        modelPath: PreparedStore.realPath(reference.path)
      ) { progress(LoadProgress(.preparing, done: $0, total: total)) }
    case .memory:
      progress(LoadProgress(.preparing, done: 0, total: total))
      return try plan.load(compute: compute) {
        progress(LoadProgress(.preparing, done: $0, total: total))
      }
    }
  }

  /// The context to load with, once it is admitted: the one asked for, or the largest that fits.
  private func admit(
    _ budget: MemoryBudget, threads: Int, _ placement: WeightPlacement
  ) throws -> (Int, MemoryPlan) {
    let native = plan.configuration.contextLength
    let asked = reference.options.contextLength
    if let asked { try ContextWindow.admit(asked, modelLength: native) }
    var memory = memoryPlan(
      context: asked ?? native, threads: threads, weights: placement.kind)
    // Building the tokenizer has freed about twice what it keeps.
    returnFreedMemory()
    let machine = budget.machine()
    let held = HeldMemory(
      anonymous: memory.fixed.runtime + memory.fixed.tokenizer,
      mapped: memory.fixed.binary + placement.residentByteCount)
    let snapshots = SnapshotBudget.bytes(
      beside: memory, available: machine.available,
      snapshot: ModelState.snapshotByteCount(plan.configuration, type: keyValueType))
    memory.fixed.snapshots = snapshots
    let context =
      asked ?? ContextLadder.defaultLength(memory, modelLength: native, on: machine)
    // Keys and values are committed as they come; a load needs room for a first exchange.
    let positions = asked ?? min(context, MemoryBudget.smallestContext)
    // Snapshots spare time only, so they have what is left.
    memory.fixed.snapshots = 0
    try budget.admit(memory, positions: positions, held: held)
    memory.fixed.snapshots = MemoryBudget.spare(
      beside: memory, positions: positions, held: held, on: machine, atMost: snapshots)
    return (context, memory)
  }

  private func memoryPlan(
    context: Int, threads: Int, weights: WeightPlacement.Kind = .memory
  ) -> MemoryPlan {
    MemoryPlan(
      plan.totals, plan.configuration, tokenizer: package.tokenizer.byteCount,
      keysAndValues: keyValueType, context: context, threads: threads, weights: weights)
  }

  /// What running the model takes, with a short context and with its longest.
  func estimate() -> ModelInspection.MemoryEstimate {
    let threads = reference.options.threads ?? defaultThreadCount()
    let native = plan.configuration.contextLength
    let contexts = native > Self.shortContext ? [Self.shortContext, native] : [native]
    return ModelInspection.MemoryEstimate(
      weights: plan.totals.preparedByteCount + plan.configuration.vectorByteCount,
      totals: contexts.map { context in
        ModelInspection.MemoryEstimate.Total(
          context: context,
          byteCount: memoryPlan(context: context, threads: threads)
            .need(positions: context).total)
      })
  }

  /// A context that many conversations fit in.
  private static let shortContext = 4096

  private func description(thinking: ThinkingKind) -> ModelDescription {
    var description = ModelDescription(
      name: reference.name, path: reference.path, architecture: plan.architecture.name,
      parameterCount: plan.totals.parameterCount, byteCount: plan.totals.sourceByteCount,
      layerCount: plan.configuration.layers.count,
      contextLength: plan.configuration.contextLength,
      vocabularyCount: package.tokenizer.count, thinking: thinking,
      sampling: sampling)
    description.hasCoarseKeys = hasCoarseKeys
    return description
  }

  /// Keys of four bits are felt where all of what a model remembers is keys and values of every token,
  /// and were hardly where layers look through a window or have a memory of another kind
  /// (ARCHITECTURE.md, "Keys and values in few bits").
  private var hasCoarseKeys: Bool {
    keyValueType.keyBits < KVType.CodeWidth.eight.rawValue
      && plan.configuration.layers.allSatisfy {
        if case .attention(nil) = $0.mixer { true } else { false }
      }
  }

  /// The files' recommendations under those of the reference.
  private var sampling: SamplingOverrides? {
    guard let over = reference.options.sampling else { return package.sampling }
    guard let base = package.sampling else { return over }
    return base.overridden(by: over)
  }
}

extension SamplingOverrides {
  /// These values with others in their place where there are others.
  func overridden(by other: SamplingOverrides) -> SamplingOverrides {
    SamplingOverrides(
      temperature: other.temperature ?? temperature, topK: other.topK ?? topK,
      topP: other.topP ?? topP, minP: other.minP ?? minP,
      repetitionPenalty: other.repetitionPenalty ?? repetitionPenalty,
      presencePenalty: other.presencePenalty ?? presencePenalty,
      frequencyPenalty: other.frequencyPenalty ?? frequencyPenalty)
  }
}

extension KVType {
  /// What was asked for; else float16, but float32 beside the reference backend: there nothing is
  /// rounded for speed.
  init(_ options: ModelOptions) {
    switch options.keyValueBits {
    case .thirtyTwo: self = .float32
    case .sixteen: self = .float16
    case .eight: self = .int8
    case .eightAndFour: self = .quantised(keys: .eight, values: .four)
    case .fourAndEight: self = .quantised(keys: .four, values: .eight)
    case .four: self = .int4
    case nil: self = options.backend == .blas ? .float32 : .float16
    }
  }
}

extension MatmulBackend {
  /// - Throws: ``EngineError/noReferenceBackend``.
  init(_ backend: ModelOptions.Backend) throws(EngineError) {
    switch backend {
    case .simd: self = .simd
    case .blas:
      guard MatmulBackend.blas.isAvailable else { throw .noReferenceBackend }
      self = .blas
    }
  }
}
