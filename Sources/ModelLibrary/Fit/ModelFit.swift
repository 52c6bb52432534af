package import Inference

/// Whether a model fits a machine, and with how much context.
package struct ModelFit: Sendable, Hashable {
  /// What users call it by.
  package let name: String
  package let isInstalled: Bool
  /// Bytes of the weights in memory.
  package let weights: Int
  package let parameterCount: Int
  /// The most tokens that the model was made for.
  package let contextLength: Int
  /// The peak with some contexts, ascending; the last is the model's own.
  package let peaks: [Peak]
  /// The context that the verdict is about.
  package let verdictContext: Int
  package let verdict: FitVerdict
  /// The largest context of the ladder that fits well; nil when none does.
  package let comfortableContext: Int?

  /// What the model takes with a context full of tokens.
  package struct Peak: Sendable, Hashable {
    package let context: Int
    package let byteCount: Int
  }

  /// Contexts that a table shows, beside the model's own.
  private static let usualContexts = [4096, 16384]

  /// `context` is what the verdict is about; nil is one that many conversations fit in.
  package init(
    name: String, isInstalled: Bool, estimate: ModelEstimate, context: Int? = nil,
    on machine: MachineMemory
  ) {
    self.name = name
    self.isInstalled = isInstalled
    weights = estimate.weights
    parameterCount = estimate.parameterCount
    let native = estimate.contextLength
    contextLength = native
    let plan = estimate.plan
    peaks = (Self.usualContexts.filter { $0 < native } + [native]).map {
      Peak(context: $0, byteCount: plan.need(positions: $0).total)
    }
    verdictContext = min(context ?? Self.usualContexts[0], native)
    verdict = FitVerdict(plan, positions: verdictContext, modelLength: native, on: machine)
    comfortableContext = ContextLadder.rungs(modelLength: native).last {
      FitVerdict(plan, positions: $0, modelLength: native, on: machine) == .comfortable
    }
  }

  /// What the model takes with a context, of those in `peaks`.
  package func peak(_ context: Int) -> Int? {
    peaks.first { $0.context == context }?.byteCount
  }
}

extension [ModelFit] {
  /// The model that the machine could carry best: of those that fit well the one with the most bytes
  /// of weights, which is the most that it can know.
  package var best: ModelFit? {
    filter { $0.verdict == .comfortable }.max { $0.weights < $1.weights }
  }
}

extension MachineMemory {
  /// What the system, a desktop and a browser leave nobody.
  private static let takenByOthers = 1_500_000_000

  /// Another machine, by the memory that it was sold with, in bytes.
  package init(sold: Int) {
    self.init(capacity: sold, free: Swift.max(0, sold - Self.takenByOthers))
  }
}
