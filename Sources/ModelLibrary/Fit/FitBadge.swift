package import Inference

/// Whether a model fits a machine, for a list: with the context that it would be loaded with, or one
/// that many conversations fit in.
package struct FitBadge: Sendable, Hashable {
  package let verdict: FitVerdict
  /// Tokens that the verdict is about.
  package let context: Int
  /// Bytes at the peak with that many.
  package let needed: Int

  private static let usualContext = 4096

  init(_ estimate: ModelEstimate, context: Int?, on machine: MachineMemory) {
    self.context = min(context ?? Self.usualContext, estimate.contextLength)
    verdict = FitVerdict(
      estimate.plan, positions: self.context, modelLength: estimate.contextLength, on: machine)
    needed = estimate.plan.need(positions: self.context).total
  }

  /// Nil when its headers cannot be read.
  package init?(_ model: InstalledModel, options: ModelOptions, on machine: MachineMemory) {
    guard let estimate = try? ModelEstimate(path: model.path, options: options) else { return nil }
    self.init(estimate, context: options.contextLength, on: machine)
  }

  /// A model that is not here, by the numbers of its row.
  package init(_ choice: CatalogChoice, options: ModelOptions, on machine: MachineMemory) {
    var options = options
    let overrides = choice.model.overrides
    options.contextLength = options.contextLength ?? overrides.contextLength
    options.keyValueBits = options.keyValueBits ?? overrides.keyValueBits
    let estimate = ModelEstimate(sizes: ModelSizes(choice), options: options)
    self.init(estimate, context: options.contextLength, on: machine)
  }
}

extension ModelSizes {
  /// The sizes of a model of the menu.
  package init(_ choice: CatalogChoice) {
    let shape = choice.model.shape
    self.init(
      hidden: shape.hidden, vocabulary: shape.vocabulary,
      contextLength: choice.model.contextLength, heads: shape.heads,
      keyValueHeads: shape.keyValueHeads, headDimension: shape.headDimension,
      feedForward: shape.experts?.size ?? shape.feedForward,
      fullLayers: shape.fullAttentionLayers, parameterCount: shape.parameterCount,
      byteCount: choice.estimatedByteCount)
    if let window = shape.window {
      windowedLayers = window.layers
      self.window = window.size
    }
    deltaNet = shape.deltaNet.map {
      DeltaNet(
        layers: $0.layers, keyHeads: $0.keyHeads, valueHeads: $0.valueHeads,
        keyDimension: $0.keyDimension, valueDimension: $0.valueDimension)
    }
    experts = shape.experts.map {
      Experts(count: $0.count, active: $0.active, sharedSize: $0.sharedSize)
    }
  }
}
