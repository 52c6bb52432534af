import Kernels
import Weights

/// Puts prepared matrices and vectors together into a model.
struct ModelAssembly {
  let architecture: Architecture
  let configuration: ModelConfiguration
  let compute: Compute
  let finder: TensorFinder
  let matrices: [TensorKey: PreparedMatrix]

  func transformer() throws -> Transformer {
    let embedding = try matrix(.embedding, nil)
    return Transformer(
      configuration: configuration, compute: compute, embedding: embedding,
      embeddingScale: embeddingScale,
      layers: try configuration.layers.indices.map(layer),
      outputNorm: try norm(.outputNorm, nil, count: configuration.hiddenSize),
      output: matrices[TensorKey(.output)] ?? embedding)
  }

  private var embeddingScale: Float? {
    switch architecture.block.embeddingScale {
    case .none: nil
    case .squareRootOfHidden:
      ExactMath.roundedToBFloat16(Float(configuration.hiddenSize).squareRoot())
    }
  }

  private func layer(_ index: Int) throws -> Layer {
    let layer = configuration.layers[index]
    let hidden = configuration.hiddenSize
    let mixer: Layer.Mixer
    switch layer.mixer {
    case .attention(let window):
      mixer = .attention(try attention(index, window: window))
    case .deltaNet:
      mixer = .deltaNet(try deltaNet(index))
    }
    var postNorms: Layer.PostNorms?
    if architecture.block.norms == .sandwich {
      postNorms = Layer.PostNorms(
        mixer: try norm(.postMixerNorm, index, count: hidden),
        feedForward: try norm(.postFeedForwardNorm, index, count: hidden))
    }
    return Layer(
      mixerNorm: try norm(.mixerNorm, index, count: hidden),
      mixer: mixer,
      feedForwardNorm: try norm(.feedForwardNorm, index, count: hidden),
      feedForward: try feedForward(index, layer.feedForward),
      postNorms: postNorms, epsilon: configuration.normEpsilon)
  }

  private func feedForward(
    _ index: Int, _ kind: LayerConfiguration.FeedForward
  ) throws -> FeedForward {
    switch kind {
    case .dense:
      return .dense(try gated(.gate, .up, .down, index))
    case .experts(let shape):
      let experts = try (0..<shape.count).map {
        try gated(.expertGate, .expertUp, .expertDown, index, expert: $0)
      }
      let shared = try shape.sharedSize.map { _ in
        ExpertBlock.Shared(
          expert: try gated(.sharedGate, .sharedUp, .sharedDown, index),
          gate: try matrix(.sharedExpertGate, index))
      }
      return .experts(
        ExpertBlock(
          router: try matrix(.router, index), experts: experts, shared: shared, shape: shape))
    }
  }

  private func gated(
    _ gate: TensorRole, _ up: TensorRole, _ down: TensorRole, _ index: Int, expert: Int? = nil
  ) throws -> FeedForwardBlock {
    FeedForwardBlock(
      gate: try matrix(gate, index, expert: expert), up: try matrix(up, index, expert: expert),
      down: try matrix(down, index, expert: expert), activation: architecture.block.activation)
  }

  private func attention(_ index: Int, window: Int?) throws -> AttentionBlock {
    let attention = configuration.attention
    let design = architecture.block.attention
    let perHead = design.queryKeyNorm == .perHead
    return AttentionBlock(
      query: try linear(.query, bias: .queryBias, index),
      key: try linear(.key, bias: .keyBias, index),
      value: try linear(.value, bias: .valueBias, index),
      output: Linear(matrix: try matrix(.attentionOutput, index), bias: nil),
      outputGate: matrices[TensorKey(.outputGate, layer: index)].map {
        Linear(matrix: $0, bias: nil)
      },
      queryNorm: perHead ? try norm(.queryNorm, index, count: attention.headDimension) : nil,
      keyNorm: perHead ? try norm(.keyNorm, index, count: attention.headDimension) : nil,
      shape: AttentionShape(attention, window: window), epsilon: configuration.normEpsilon)
  }

  private func deltaNet(_ index: Int) throws -> DeltaNetBlock {
    guard let shape = configuration.deltaNet else {
      throw ModelError.missingSetting("the delta net's sizes")
    }
    let taps = DeltaNetShape.taps
    let stored = try finder.vector(
      TensorKey(.deltaNetConvolution, layer: index), count: taps * shape.channels)
    // Files have a row of taps for each channel.
    let convolution = (0..<taps * shape.channels).map {
      stored[$0 % shape.channels * taps + $0 / shape.channels]
    }
    let decays = try finder.vector(
      TensorKey(.deltaNetDecay, layer: index), count: shape.valueHeads)
    let rates =
      finder.source.form == .gguf
      ? decays : decays.map { Float(-ExactMath.exponential(Double($0))) }
    return DeltaNetBlock(
      input: try matrix(.deltaNetInput, index), gate: try matrix(.deltaNetGate, index),
      beta: try matrix(.deltaNetBeta, index), alpha: try matrix(.deltaNetAlpha, index),
      output: try matrix(.deltaNetOutput, index),
      convolution: Slab(convolution), rates: Slab(rates),
      timeBiases: Slab(
        try finder.vector(
          TensorKey(.deltaNetTimeBias, layer: index), count: shape.valueHeads)),
      norm: Slab(
        try finder.vector(
          TensorKey(.deltaNetNorm, layer: index), count: shape.valueDimension)),
      shape: shape, epsilon: configuration.normEpsilon)
  }

  private func linear(_ role: TensorRole, bias: TensorRole, _ index: Int) throws -> Linear {
    let matrix = try matrix(role, index)
    let key = TensorKey(bias, layer: index)
    let design = architecture.block.attention
    let isWanted =
      switch design.bias {
      case .none: false
      case .queryKeyValue: true
      case .whereStored: finder.contains(key)
      }
    guard isWanted else { return Linear(matrix: matrix, bias: nil) }
    var values = try finder.vector(key, count: matrix.rows)
    if role != .value {
      values = RotationOrder.halfSplit(
        values, configuration.attention.headDimension, design, finder)
    }
    return Linear(matrix: matrix, bias: Slab(values))
  }

  private func matrix(
    _ role: TensorRole, _ layer: Int?, expert: Int? = nil
  ) throws -> PreparedMatrix {
    guard let matrix = matrices[TensorKey(role, layer: layer, expert: expert)] else {
      throw ModelError.missingTensor(role.rawValue)
    }
    return matrix
  }

  private func norm(_ role: TensorRole, _ layer: Int?, count: Int) throws -> Slab<Float> {
    let weights = try finder.vector(TensorKey(role, layer: layer), count: count)
    return Slab(isZeroCentred ? weights.map { 1 + $0 } : weights)
  }

  private var isZeroCentred: Bool {
    switch architecture.block.normWeights {
    case .plain: false
    case .zeroCentredOutsideGGUF: finder.source.form != .gguf
    case .zeroCentredInRawCheckpoints:
      finder.hasRawConvolutions(layers: configuration.layers.count)
    }
  }
}
