import Kernels

/// Buffers for one forward pass over at most `capacity` tokens, allocated once at load.
package final class Workspace: Sendable {
  /// The longest chunk.
  package let capacity: Int

  /// Rows of logits that are computed at a time.
  static let logitRows = 16

  let hidden: Slab<Float>  // (token × hidden)
  let normed: Slab<Float>  // (token × hidden)
  let branch: Slab<Float>  // (token × hidden): a sub-layer's output where a norm follows it
  let query: Slab<Float>  // (token × heads · headDim)
  let key: Slab<Float>  // (token × kvHeads · headDim)
  let value: Slab<Float>  // (token × kvHeads · headDim)
  let outputGate: Slab<Float>  // (token × heads · headDim)
  let attended: Slab<Float>  // (token × heads · headDim)
  let gate: Slab<Float>  // (token × feedForward)
  let up: Slab<Float>  // (token × feedForward)
  let logits: Slab<Float>  // (logitRows × vocabulary)

  let hiddenActivations: Activations
  let attentionActivations: Activations
  let feedForwardActivations: Activations
  let attention: AttentionScratch
  let angles: RotaryAngles
  /// The angles of windowed layers, where they are others.
  let localAngles: RotaryAngles?
  let deltaNet: DeltaNetBuffers?
  let experts: ExpertBuffers?

  package init(_ configuration: ModelConfiguration, capacity: Int, context: Int, threads: Int) {
    let sizes = Sizes(configuration, capacity: capacity)
    self.capacity = capacity
    hidden = Slab(count: sizes.hidden)
    normed = Slab(count: sizes.hidden)
    branch = Slab(count: sizes.hidden)
    query = Slab(count: sizes.query)
    key = Slab(count: sizes.keyValue)
    value = Slab(count: sizes.keyValue)
    outputGate = Slab(count: sizes.query)
    attended = Slab(count: sizes.query)
    gate = Slab(count: sizes.feedForward)
    up = Slab(count: sizes.feedForward)
    logits = Slab(count: sizes.logits)
    hiddenActivations = Activations(capacity: capacity, columns: configuration.hiddenSize)
    attentionActivations = Activations(
      capacity: capacity,
      columns: configuration.attention.heads * configuration.attention.headDimension)
    feedForwardActivations = Activations(
      capacity: capacity, columns: configuration.largestFeedForward)
    attention = AttentionScratch(
      shapes: [AttentionShape(configuration.attention, window: nil)], context: context,
      threads: threads)
    angles = RotaryAngles(
      frequencies: configuration.rope.frequencies(), amplitude: configuration.rope.amplitude,
      capacity: capacity)
    localAngles = configuration.localRope.map {
      RotaryAngles(
        frequencies: $0.frequencies(), amplitude: $0.amplitude, capacity: capacity)
    }
    deltaNet = configuration.deltaNet.map { DeltaNetBuffers($0, capacity: capacity) }
    experts = configuration.experts.map {
      ExpertBuffers($0, hidden: configuration.hiddenSize, capacity: capacity)
    }
  }

  /// Float32 elements of each buffer.
  private struct Sizes {
    let hidden, query, keyValue, feedForward, logits: Int

    init(_ configuration: ModelConfiguration, capacity: Int) {
      let attention = configuration.attention
      hidden = capacity * configuration.hiddenSize
      query = capacity * attention.heads * attention.headDimension
      keyValue = capacity * attention.keyValueHeads * attention.headDimension
      feedForward = capacity * configuration.largestFeedForward
      logits = min(capacity, Workspace.logitRows) * configuration.vocabularySize
    }

    var total: Int { 3 * hidden + 3 * query + 2 * keyValue + 2 * feedForward + logits }
  }

  /// Bytes that a workspace takes.
  package static func byteCount(
    _ configuration: ModelConfiguration, capacity: Int, context: Int, threads: Int
  ) -> Int {
    let attention = configuration.attention
    return Sizes(configuration, capacity: capacity).total * MemoryLayout<Float>.stride
      + Activations.byteCount(
        capacity: capacity, columns: configuration.hiddenSize, threads: threads)
      + Activations.byteCount(
        capacity: capacity, columns: attention.heads * attention.headDimension,
        threads: threads)
      + Activations.byteCount(
        capacity: capacity, columns: configuration.largestFeedForward, threads: threads)
      + AttentionScratch.byteCount(
        shapes: [AttentionShape(attention, window: nil)], context: context, threads: threads)
      + (configuration.deltaNet.map {
        DeltaNetBuffers.byteCount($0, capacity: capacity, threads: threads)
      } ?? 0)
      + (configuration.experts.map {
        ExpertBuffers.byteCount(
          $0, hidden: configuration.hiddenSize, capacity: capacity, threads: threads)
      } ?? 0)
  }
}

extension ModelConfiguration {
  /// The experts of the first layer that has any; all layers' are alike.
  var experts: ExpertShape? {
    for layer in layers {
      if case .experts(let shape) = layer.feedForward { return shape }
    }
    return nil
  }

  var largestFeedForward: Int { layers.map(\.feedForward.largest).max() ?? 0 }
}

extension AttentionShape {
  init(_ configuration: AttentionConfiguration, window: Int?) {
    self.init(
      heads: configuration.heads, keyValueHeads: configuration.keyValueHeads,
      headDimension: configuration.headDimension, scale: configuration.scale, window: window)
  }
}
