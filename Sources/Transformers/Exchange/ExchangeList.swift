import Kernels
import Weights

/// Puts together the tensors of a ``TensorExchange``.
struct ExchangeList {
  let finder: TensorFinder
  let architecture: Architecture
  let configuration: ModelConfiguration
  let prefix: String
  private(set) var tensors: [ExchangeTensor] = []
  /// Names in the source that were asked for.
  private(set) var used: Set<String> = []

  init(
    finder: TensorFinder, architecture: Architecture, configuration: ModelConfiguration,
    prefix: String
  ) {
    self.finder = finder
    self.architecture = architecture
    self.configuration = configuration
    self.prefix = prefix
  }

  private var hidden: Int { configuration.hiddenSize }
  private var isGGUF: Bool { finder.source.form == .gguf }
  private var design: BlockDesign.AttentionDesign { architecture.block.attention }

  mutating func addModel(withOutput: Bool) throws {
    try addMatrix(.embedding, nil, rows: configuration.vocabularySize, columns: hidden)
    for index in configuration.layers.indices { try addLayer(index) }
    try addNorm(.outputNorm, nil, count: hidden)
    if withOutput {
      try addMatrix(.output, nil, rows: configuration.vocabularySize, columns: hidden)
    }
  }

  private mutating func addLayer(_ index: Int) throws {
    let layer = configuration.layers[index]
    try addNorm(.mixerNorm, index, count: hidden)
    switch layer.mixer {
    case .attention: try addAttention(index)
    case .deltaNet: try addDeltaNet(index)
    }
    if architecture.block.norms == .sandwich {
      try addNorm(.postMixerNorm, index, count: hidden)
    }
    try addNorm(.feedForwardNorm, index, count: hidden)
    switch layer.feedForward {
    case .dense(let size):
      try addMatrix(.gate, index, rows: size, columns: hidden)
      try addMatrix(.up, index, rows: size, columns: hidden)
      try addMatrix(.down, index, rows: hidden, columns: size)
    case .experts(let shape):
      try addExperts(index, shape)
    }
    if architecture.block.norms == .sandwich {
      try addNorm(.postFeedForwardNorm, index, count: hidden)
    }
  }

  private mutating func addAttention(_ index: Int) throws {
    let attention = configuration.attention
    let queries = attention.heads * attention.headDimension
    let keys = attention.keyValueHeads * attention.headDimension
    let gated = design.outputGate == .sigmoid ? 2 : 1
    try addProjection(.query, bias: .queryBias, index, rows: gated * queries)
    try addProjection(.key, bias: .keyBias, index, rows: keys)
    try addProjection(.value, bias: .valueBias, index, rows: keys)
    try addMatrix(.attentionOutput, index, rows: hidden, columns: queries)
    if design.queryKeyNorm == .perHead {
      try addNorm(.queryNorm, index, count: attention.headDimension)
      try addNorm(.keyNorm, index, count: attention.headDimension)
    }
  }

  private mutating func addProjection(
    _ role: TensorRole, bias: TensorRole, _ index: Int, rows: Int
  ) throws {
    let key = TensorKey(role, layer: index)
    var matrix = try finder.matrix(key, rows: rows, columns: hidden)
    if role != .value {
      matrix = try RotationOrder.halfSplit(
        matrix, configuration.attention.headDimension, design, finder)
    }
    append(key, [rows, hidden], .rows(matrix, nil), matrix.format.numberType)

    let biasKey = TensorKey(bias, layer: index)
    let isWanted =
      switch design.bias {
      case .none: false
      case .queryKeyValue: true
      case .whereStored: finder.contains(biasKey)
      }
    guard isWanted else { return }
    let (finder, design) = (finder, design)
    let dimension = configuration.attention.headDimension
    try addNumbers(biasKey, count: rows) { values in
      role == .value
        ? values : RotationOrder.halfSplit(values, dimension, design, finder)
    }
  }

  private mutating func addDeltaNet(_ index: Int) throws {
    guard let shape = configuration.deltaNet else {
      throw ModelError.missingSetting("the delta net's sizes")
    }
    let order = ValueHeadOrder(shape, isTiled: isGGUF)
    let channels = shape.channels
    let keys = channels - shape.valueWidth
    try addMatrix(
      .deltaNetInput, index, rows: channels, columns: hidden,
      rowMap: order.rows(from: keys, of: shape.valueDimension, count: channels))
    try addMatrix(
      .deltaNetGate, index, rows: shape.valueWidth, columns: hidden,
      rowMap: order.rows(from: 0, of: shape.valueDimension, count: shape.valueWidth))
    for role in [TensorRole.deltaNetBeta, .deltaNetAlpha] {
      try addMatrix(
        role, index, rows: shape.valueHeads, columns: hidden,
        rowMap: order.rows(from: 0, of: 1, count: shape.valueHeads))
    }
    let taps = DeltaNetShape.taps
    let channelMap = order.rows(from: keys, of: shape.valueDimension, count: channels)
    let convolution = TensorKey(.deltaNetConvolution, layer: index)
    // (channels, 1, taps), (channels, taps, 1) and (channels, taps) are the same numbers in a row.
    try addNumbers(
      convolution, count: channels * taps, shape: [channels, taps, 1]
    ) { values in
      guard let channelMap else { return values }
      return channelMap.flatMap { channel in
        values[Int(channel) * taps..<(Int(channel) + 1) * taps]
      }
    }
    let headMap = order.rows(from: 0, of: 1, count: shape.valueHeads)
    let isGGUF = isGGUF
    try addNumbers(
      TensorKey(.deltaNetDecay, layer: index), count: shape.valueHeads, keepsType: true
    ) { values in
      let ordered = headMap?.map { values[Int($0)] } ?? values
      guard isGGUF else { return ordered }
      // GGUF has −exp(A_log).
      return try ordered.map { rate in
        guard -rate >= .leastNormalMagnitude else {
          throw ModelError.setting("ssm_a", "\(rate) is no rate of decay")
        }
        return Float(ExactMath.logarithm(Double(-rate)))
      }
    }
    try addNumbers(TensorKey(.deltaNetTimeBias, layer: index), count: shape.valueHeads) { values in
      headMap?.map { values[Int($0)] } ?? values
    }
    try addNumbers(TensorKey(.deltaNetNorm, layer: index), count: shape.valueDimension) { $0 }

    let key = TensorKey(.deltaNetOutput, layer: index)
    let output = try finder.matrix(key, rows: hidden, columns: shape.valueWidth)
    append(
      key, [hidden, shape.valueWidth],
      .rows(output, order.columns(of: shape.valueDimension)), output.format.numberType)
  }

  private mutating func addExperts(_ index: Int, _ shape: ExpertShape) throws {
    try addMatrix(.router, index, rows: shape.count, columns: hidden)
    let sources = try ExpertSources(finder, layer: index, shape, hidden: hidden)
    for role in [
      TensorRole.stackedGate, .stackedUp, .stackedDown, .stackedGateUp, .stackedDownOfGateUp,
    ] { note(TensorKey(role, layer: index)) }
    var parts: [TensorRole: [any RowSource]] = [:]
    for expert in 0..<shape.count {
      for (role, matrix) in try sources.matrices(of: expert) {
        note(TensorKey(role, layer: index, expert: expert))
        parts[role, default: []].append(matrix)
      }
    }
    for (role, stacked, rows, columns) in [
      (TensorRole.expertGate, TensorRole.stackedGate, shape.size, hidden),
      (.expertUp, .stackedUp, shape.size, hidden), (.expertDown, .stackedDown, hidden, shape.size),
    ] {
      let key = TensorKey(stacked, layer: index)
      guard let all = ConcatenatedRows(parts[role] ?? [], name: architecture.name) else {
        throw ModelError.setting(
          mlxName(key), "its experts are stored in different formats")
      }
      append(key, [shape.count, rows, columns], .rows(all, nil), all.format.numberType)
    }
    guard let sharedSize = shape.sharedSize else { return }
    try addMatrix(.sharedExpertGate, index, rows: 1, columns: hidden)
    try addMatrix(.sharedGate, index, rows: sharedSize, columns: hidden)
    try addMatrix(.sharedUp, index, rows: sharedSize, columns: hidden)
    try addMatrix(.sharedDown, index, rows: hidden, columns: sharedSize)
  }

  // MARK: One tensor

  private mutating func addMatrix(
    _ role: TensorRole, _ layer: Int?, rows: Int, columns: Int, rowMap: [Int32]? = nil
  ) throws {
    let key = TensorKey(role, layer: layer)
    var matrix = try finder.matrix(key, rows: rows, columns: columns)
    if let rowMap { matrix = PermutedRows(matrix, map: rowMap) }
    append(key, [rows, columns], .rows(matrix, nil), matrix.format.numberType)
  }

  /// A norm's weights, in which mlx-lm's zero is that of its own model.
  private mutating func addNorm(_ role: TensorRole, _ layer: Int?, count: Int) throws {
    let shift: Float =
      switch architecture.block.normWeights {
      case .plain: 0
      case .zeroCentredOutsideGGUF: isGGUF ? -1 : 0
      case .zeroCentredInRawCheckpoints:
        finder.hasRawConvolutions(layers: configuration.layers.count) ? 1 : 0
      }
    let key = TensorKey(role, layer: layer)
    let type = try finder.numberType(key)
    try addNumbers(key, count: count) { values in
      shift == 0 ? values : values.map { type.rounded($0 + shift) }
    }
  }

  private mutating func addNumbers(
    _ key: TensorKey, count: Int, shape: [Int]? = nil, keepsType: Bool = false,
    _ change: @escaping @Sendable ([Float]) throws -> [Float]
  ) throws {
    let finder = finder
    let name = finder.name(of: key) ?? ""
    guard finder.contains(key) else {
      throw ModelError.missingTensor(name.isEmpty ? key.role.rawValue : name)
    }
    let found = try finder.source.shape(name)
    guard found.reduce(1, *) == count else {
      throw ModelError.shape(tensor: name, expected: [count], found: found)
    }
    append(
      key, shape ?? [count], .numbers { try change(try finder.vector(key, count: count)) },
      try finder.numberType(key), isQuantisable: false, keepsType: keepsType)
  }

  private mutating func append(
    _ key: TensorKey, _ shape: [Int], _ content: ExchangeTensor.Content, _ type: ScaleType,
    isQuantisable: Bool = true, keepsType: Bool = false
  ) {
    note(key)
    tensors.append(
      ExchangeTensor(
        name: mlxName(key), shape: shape, content: content, storedType: type,
        isQuantisable: isQuantisable, keepsType: keepsType))
  }

  private mutating func note(_ key: TensorKey) {
    if let name = finder.name(of: key) { used.insert(name) }
  }

  private func mlxName(_ key: TensorKey) -> String {
    let pattern = architecture.tensors[key.role]?.canonical ?? ""
    return prefix + pattern.replacing("{layer}", with: String(key.layer ?? 0))
  }
}

extension TensorFinder {
  /// The type of a tensor's numbers.
  fileprivate func numberType(_ key: TensorKey) throws -> ScaleType {
    guard let name = name(of: key), source.contains(name) else {
      throw ModelError.missingTensor(name(of: key) ?? key.role.rawValue)
    }
    return try source.matrix(name).format.numberType
  }
}

extension MatrixFormat {
  /// The type that the numbers of a matrix are given in: its own, or that of its scales.
  fileprivate var numberType: ScaleType {
    switch self {
    case .dense(let type), .grouped(_, _, let type, _): type
    case .superblockAffine, .superblockSymmetric: .float16
    }
  }
}
