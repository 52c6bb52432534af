import Dispatch
import Kernels
import Synchronization
package import Tokenizers

/// The engine of the pure-Swift transformer.
///
/// Models are loaded and replies generated on one serial queue of its own; the matrix work is shared
/// with the threads of the model's pool. Nothing computes on the cooperative pool.
package final class CPUEngine: InferenceEngine {
  private let queue = DispatchQueue(label: "pipit.engine", qos: .userInitiated)
  private let condition = Mutex(Condition())
  private let conditions: MachineConditions
  private let prepared: PreparedStore?

  private struct Condition {
    var model: ResidentModel?
    /// The flag of the reply being generated.
    var cancellation: CancellationFlag?
    var budget = MemoryBudget()
  }

  /// With `prepared`, weights are kept there for the next load.
  package init(
    conditions: MachineConditions = MachineConditions(), prepared: PreparedStore? = nil
  ) {
    self.conditions = conditions
    self.prepared = prepared
  }

  package var loaded: ModelDescription? { model?.description }
  package var endOfTurn: Set<TokenID> { model?.endOfTurn ?? [] }
  package var contextLength: Int { model?.context ?? 0 }

  var budget: MemoryBudget { condition.withLock { $0.budget } }

  private var model: ResidentModel? { condition.withLock { $0.model } }

  func requireModel() throws -> ResidentModel {
    guard let model else { throw EngineError.notLoaded }
    return model
  }

  // MARK: Loading

  @discardableResult
  package func load(
    _ reference: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) async throws -> ModelDescription {
    try await onQueue { [self] in
      let (previous, budgetBefore) = condition.withLock { ($0.model?.reference, $0.budget) }
      // Files that are no model cost the resident one nothing.
      if previous != nil { try ModelLoader.check(reference) }
      releaseModel()
      do {
        return try loadModel(reference, budget: budget, progress: progress)
      } catch {
        if let previous {
          _ = try? loadModel(previous, budget: budgetBefore, progress: { _ in })
        }
        throw error
      }
    }
  }

  private func loadModel(
    _ reference: ModelReference, budget: MemoryBudget,
    progress: @escaping @Sendable (LoadProgress) -> Void
  ) throws -> ModelDescription {
    try budget.admitMapping(
      of: reference.path, name: reference.name,
      threads: reference.options.threads ?? defaultThreadCount())
    let model = try ModelLoader(reference, store: prepared, progress: progress)
      .load(budget: budget)
    condition.withLock {
      $0.model = model
      $0.budget = budget
    }
    return model.description
  }

  /// Lets go of the model, and returns when its threads have ended and its pages are the system's.
  private func releaseModel() {
    weak let model = condition.withLock { $0.model.take() }
    // Whoever was called back by the last job may hold it for a moment still.
    let deadline = ContinuousClock.now + .seconds(5)
    while model != nil, ContinuousClock.now < deadline {
      sleepOnThread(.milliseconds(1))
    }
    returnFreedMemory()
  }

  package func unload() async {
    try? await onQueue { [self] in releaseModel() }
  }

  /// Runs a job on the engine's queue.
  func onQueue<Result: Sendable>(
    _ job: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Swift.Result { try job() })
      }
    }
  }

  // MARK: Generating

  package func generate(
    _ prompt: [TokenID], _ parameters: GenerationParameters
  ) -> AsyncThrowingStream<GenerationEvent, any Error> {
    AsyncThrowingStream(GenerationEvent.self, bufferingPolicy: .unbounded) { continuation in
      let cancellation = CancellationFlag()
      let admitted: Result<(ResidentModel, MemoryBudget), any Error> = condition.withLock {
        guard let model = $0.model else { return .failure(EngineError.notLoaded) }
        guard $0.cancellation == nil else { return .failure(EngineError.busy) }
        $0.cancellation = cancellation
        return .success((model, $0.budget))
      }
      switch admitted {
      case .failure(let error):
        continuation.finish(throwing: error)
      case .success(let (model, budget)):
        continuation.onTermination = { _ in cancellation.cancel() }
        queue.async { [self] in
          let result = Swift.Result {
            try model.promptMemory.withLock { memory in
              var generator = ReplyGenerator(
                model: model, prompt: prompt, parameters: parameters, budget: budget,
                conditions: conditions, cancellation: cancellation, emit: { continuation.yield($0) }
              )
              try generator.run(&memory)
            }
          }
          condition.withLock { $0.cancellation = nil }
          switch result {
          case .success: continuation.finish()
          case .failure(let error): continuation.finish(throwing: error)
          }
        }
      }
    }
  }

  package func cancel() {
    condition.withLock { $0.cancellation?.cancel() }
  }

  // MARK: Text and tokens

  package func encode(_ text: String, matchingControl: Bool) throws -> [TokenID] {
    try requireModel().tokenizer.encode(text, matchingControl ? .matched : .text)
  }

  package func decode(_ tokens: [TokenID], skippingControl: Bool) throws -> String {
    try requireModel().tokenizer.decode(tokens, skippingControl: skippingControl)
  }

  package func prompt(_ request: PromptRequest) throws -> Prompt {
    try requireModel().prompts.prompt(request)
  }

  package func continuation(
    _ request: PromptRequest, after history: [TokenID]
  ) throws -> Prompt {
    try requireModel().prompts.continuation(request, after: history)
  }
}
