package import JSON
package import Kernels

/// A model directory with `model*.safetensors`, or a single safetensors file.
package struct SafetensorsCheckpoint: Sendable {
  /// The path that was opened.
  package let path: String
  /// The shards.
  package let files: [SafetensorsFile]
  /// The directory's config.json, if there is one.
  package let config: JSONValue?
  private let tensors: [SafetensorsTensor]
  private let index: [String: Int]
  let quantisation: QuantisationConfig
  package let form: CheckpointForm

  /// Opens all shards and checks that they belong together.
  package init(path: String) throws(WeightsError) {
    let layout = try SafetensorsLayout(path: path)
    try self.init(
      path: path,
      files: try layout.shards.map { path throws(WeightsError) in
        try MappedFile(path: path)
      }, config: layout.config)
  }

  /// Reads mapped shards.
  package init(
    path: String, files: [MappedFile], config: JSONValue?
  ) throws(WeightsError) {
    self.path = path
    self.config = config
    quantisation = QuantisationConfig(config)
    self.files = try files.map { file throws(WeightsError) in try SafetensorsFile(file) }
    files.forEach { $0.adviseReadOnce() }
    tensors = self.files.flatMap(\.tensors)
    var index: [String: Int] = [:]
    for (position, tensor) in tensors.enumerated() {
      guard index.updateValue(position, forKey: tensor.name) == nil else {
        throw .invalid(file: path, .duplicate(kind: .tensor, name: tensor.name))
      }
    }
    self.index = index
    let isMLX =
      quantisation.isPresent
      || self.files.contains { $0.metadata?["format"]?.stringValue == "mlx" }
      || tensors.contains { $0.name.hasSuffix(".scales") }
    form = isMLX ? .mlx : .huggingFace
  }

  /// A tensor as it is stored; throws if there is none.
  package func tensor(_ name: String) throws(WeightsError) -> SafetensorsTensor {
    guard let position = index[name] else {
      throw .invalid(file: path, .tensor(name: name, .missing))
    }
    return tensors[position]
  }
}

extension SafetensorsCheckpoint: WeightSource {
  package var tensorNames: [String] { tensors.map(\.name) }

  package func contains(_ name: String) -> Bool { index[name] != nil }

  package func shape(_ name: String) throws -> [Int] { try tensor(name).shape }

  package func byteCount(_ name: String) throws -> Int { try tensor(name).bytes.count }

  /// Bytes of all tensors.
  package var tensorByteCount: Int { tensors.reduce(0) { $0 + $1.bytes.count } }

  package func matrix(_ name: String, columns: Int?) throws -> any RowSource {
    try quantisation.check(file: path)
    let weight = try tensor(name)
    if let module = name.removingSuffix(".weight"), contains("\(module).scales") {
      return try packedMatrix(module, weight, columns: columns)
    }
    guard let type = weight.type?.scaleType else {
      throw WeightsError.unsupported(
        file: weight.bytes.file.path, .dtype(tensor: name, name: weight.typeName))
    }
    if let columns, columns != weight.columns {
      throw WeightsError.invalid(
        file: weight.bytes.file.path,
        .tensor(name: name, .shape(expected: "rows of \(columns)", found: weight.shape)))
    }
    return DenseRows(
      name: name, rows: weight.rows, columns: weight.columns, type: type, bytes: weight.bytes)
  }

  package func releasePages() {
    for part in files { part.file.adviseDontNeed(0..<part.file.count) }
  }

  package func vector(_ name: String) throws -> [Float] {
    try matrix(name).finiteElements(file: path)
  }

  private func packedMatrix(
    _ module: String, _ weight: SafetensorsTensor, columns: Int?
  ) throws -> any RowSource {
    let file = weight.bytes.file.path
    let scales = try tensor("\(module).scales")
    if let mode = quantisation.mode(module), mode != Packing.affine {
      throw WeightsError.unsupported(file: file, .quantisation(mode))
    }
    guard contains("\(module).biases") else {
      throw WeightsError.unsupported(
        file: file, .quantisation("\(scales.typeName) scales without biases"))
    }
    return try PackedRows(
      weight: weight, scales: scales, biases: try tensor("\(module).biases"),
      columns: columns ?? quantisation.columns(module, words: weight.columns))
  }
}

extension String {
  fileprivate func removingSuffix(_ suffix: String) -> String? {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
  }
}
