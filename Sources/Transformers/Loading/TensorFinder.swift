import Kernels
import Weights

/// Finds a family's tensors in a file by role, checking every shape against the configuration.
struct TensorFinder: Sendable {
  let source: any WeightSource
  private let names: TensorNames
  /// Canonical name → name in the file, for files that are not GGUF.
  private let spelling: [String: String]

  /// - Throws: ``ModelError`` when two tensors are spellings of one name.
  init(_ source: any WeightSource, names: TensorNames) throws(ModelError) {
    self.source = source
    self.names = names
    var spelling: [String: String] = [:]
    if source.form != .gguf {
      for name in source.tensorNames {
        if let first = spelling.updateValue(name, forKey: Self.canonical(name)) {
          throw .sameTensor(first, name)
        }
      }
    }
    self.spelling = spelling
  }

  /// A name without the part that only some savers put in.
  static func canonical(_ name: String) -> String {
    let part = "language_model."
    guard let range = name.firstRange(of: part) else { return name }
    return String(name[..<range.lowerBound] + name[range.upperBound...])
  }

  /// The tensor's name in the file; nil when the family has no such tensor in this form.
  func name(of key: TensorKey) -> String? {
    guard let pair = names[key.role] else { return nil }
    let pattern = source.form == .gguf ? pair.gguf : pair.canonical
    guard !pattern.isEmpty else { return nil }
    var name = key.layer.map { pattern.replacing("{layer}", with: String($0)) } ?? pattern
    if let expert = key.expert { name = name.replacing("{expert}", with: String(expert)) }
    return source.form == .gguf ? name : spelling[name] ?? name
  }

  func contains(_ key: TensorKey) -> Bool {
    name(of: key).map(source.contains) ?? false
  }

  /// A matrix of `rows` × `columns`.
  ///
  /// - Throws: ``ModelError`` when it is missing or has another shape.
  func matrix(_ key: TensorKey, rows: Int, columns: Int) throws -> any RowSource {
    let name = try requiredName(of: key)
    let matrix = try source.matrix(name, columns: columns)
    guard matrix.rows == rows, matrix.columns == columns else {
      throw ModelError.shape(
        tensor: name, expected: [rows, columns], found: [matrix.rows, matrix.columns])
    }
    return matrix
  }

  /// A matrix of as many rows as the file has.
  func matrix(_ key: TensorKey, columns: Int) throws -> any RowSource {
    let name = try requiredName(of: key)
    let matrix = try source.matrix(name, columns: columns)
    guard matrix.columns == columns else {
      throw ModelError.shape(
        tensor: name, expected: [matrix.rows, columns], found: [matrix.rows, matrix.columns])
    }
    return matrix
  }

  /// A vector of `count` float32 numbers.
  ///
  /// - Throws: ``ModelError`` when it is missing or has another length; whatever the file's reader
  ///   throws for numbers that are not finite.
  func vector(_ key: TensorKey, count: Int) throws -> [Float] {
    let name = try requiredName(of: key)
    let shape = try source.shape(name)
    guard shape.reduce(1, { $0.multipliedReportingOverflow(by: $1).partialValue }) == count else {
      throw ModelError.shape(tensor: name, expected: [count], found: shape)
    }
    defer { source.releasePages() }
    return try source.vector(name)
  }

  /// Whether the convolutions are laid out as Transformers saves them, (channels, 1, taps), and not
  /// as mlx-lm does, (channels, taps, 1): that alone tells which way Qwen3.5's norms are stored.
  func hasRawConvolutions(layers: Int) -> Bool {
    guard source.form != .gguf else { return false }
    return (0..<layers).contains { index in
      let key = TensorKey(.deltaNetConvolution, layer: index)
      guard let name = name(of: key), let shape = try? source.shape(name) else { return false }
      return shape.last != 1
    }
  }

  private func requiredName(of key: TensorKey) throws -> String {
    guard let name = name(of: key) else {
      throw ModelError.missingTensor(key.role.rawValue)
    }
    guard source.contains(name) else { throw ModelError.missingTensor(name) }
    return name
  }
}
