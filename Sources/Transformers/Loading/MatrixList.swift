import Kernels
import Weights

/// The matrices a model needs, in the order in which they are prepared.
struct MatrixList {
  let finder: TensorFinder
  private(set) var matrices: [(key: TensorKey, source: any RowSource)] = []

  init(finder: TensorFinder) {
    self.finder = finder
  }

  /// Adds the embedding and, where it is not the embedding itself, the output.
  ///
  /// The vocabulary's size is that of the embedding: configurations may leave padding rows out.
  mutating func addModel(_ configuration: inout ModelConfiguration) throws {
    let embedding = try finder.matrix(TensorKey(.embedding), columns: configuration.hiddenSize)
    matrices.append((TensorKey(.embedding), embedding))
    configuration.vocabularySize = embedding.rows
    if finder.contains(TensorKey(.output)) {
      try add(.output, nil, rows: embedding.rows, columns: configuration.hiddenSize)
    }
  }

  /// Adds the matrices of a block.
  mutating func addLayer(
    _ index: Int, _ configuration: ModelConfiguration, _ design: BlockDesign
  ) throws {
    let layer = configuration.layers[index]
    switch layer.mixer {
    case .attention:
      try addAttention(index, configuration, design.attention)
    case .deltaNet:
      try addDeltaNet(index, configuration)
    }
    let hidden = configuration.hiddenSize
    switch layer.feedForward {
    case .dense(let size):
      try add(.gate, index, rows: size, columns: hidden)
      try add(.up, index, rows: size, columns: hidden)
      try add(.down, index, rows: hidden, columns: size)
    case .experts(let shape):
      try addExperts(index, shape, hidden: hidden)
    }
  }

  private mutating func addAttention(
    _ index: Int, _ configuration: ModelConfiguration, _ design: BlockDesign.AttentionDesign
  ) throws {
    let hidden = configuration.hiddenSize
    let attention = configuration.attention
    let queryRows = attention.heads * attention.headDimension
    let keyRows = attention.keyValueHeads * attention.headDimension
    let key = TensorKey(.query, layer: index)
    switch design.outputGate {
    case .none:
      let query = try finder.matrix(key, rows: queryRows, columns: hidden)
      matrices.append(
        (key, try RotationOrder.halfSplit(query, attention.headDimension, design, finder)))
    case .sigmoid:
      let both = try finder.matrix(key, rows: 2 * queryRows, columns: hidden)
      let (query, gate) = OutputGateRows.split(both, headDimension: attention.headDimension)
      matrices.append((key, query))
      matrices.append((TensorKey(.outputGate, layer: index), gate))
    }
    let keys = try finder.matrix(
      TensorKey(.key, layer: index), rows: keyRows, columns: hidden)
    matrices.append(
      (
        TensorKey(.key, layer: index),
        try RotationOrder.halfSplit(keys, attention.headDimension, design, finder)
      ))
    try add(.value, index, rows: keyRows, columns: hidden)
    try add(.attentionOutput, index, rows: hidden, columns: queryRows)
  }

  private mutating func addDeltaNet(
    _ index: Int, _ configuration: ModelConfiguration
  ) throws {
    guard let shape = configuration.deltaNet else { return }
    let hidden = configuration.hiddenSize
    try add(.deltaNetInput, index, rows: shape.channels, columns: hidden)
    try add(.deltaNetGate, index, rows: shape.valueWidth, columns: hidden)
    try add(.deltaNetBeta, index, rows: shape.valueHeads, columns: hidden)
    try add(.deltaNetAlpha, index, rows: shape.valueHeads, columns: hidden)
    try add(.deltaNetOutput, index, rows: hidden, columns: shape.valueWidth)
  }

  private mutating func addExperts(_ index: Int, _ shape: ExpertShape, hidden: Int) throws {
    try add(.router, index, rows: shape.count, columns: hidden)
    let sources = try ExpertSources(finder, layer: index, shape, hidden: hidden)
    for expert in 0..<shape.count {
      for (role, source) in try sources.matrices(of: expert) {
        matrices.append((TensorKey(role, layer: index, expert: expert), source))
      }
    }
    guard let sharedSize = shape.sharedSize else { return }
    try add(.sharedExpertGate, index, rows: 1, columns: hidden)
    try add(.sharedGate, index, rows: sharedSize, columns: hidden)
    try add(.sharedUp, index, rows: sharedSize, columns: hidden)
    try add(.sharedDown, index, rows: hidden, columns: sharedSize)
  }

  private mutating func add(_ role: TensorRole, _ layer: Int?, rows: Int, columns: Int) throws {
    let key = TensorKey(role, layer: layer)
    matrices.append((key, try finder.matrix(key, rows: rows, columns: columns)))
  }
}
