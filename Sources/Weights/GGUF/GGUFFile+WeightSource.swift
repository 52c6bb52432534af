package import Kernels

extension GGUFFile: WeightSource {
  package var form: CheckpointForm { .gguf }

  package var tensorNames: [String] { tensors.map(\.name) }

  package func shape(_ name: String) throws -> [Int] { try tensor(name).shape }

  package func byteCount(_ name: String) throws -> Int { try tensor(name).bytes.count }

  package func matrix(_ name: String, columns: Int?) throws -> any RowSource {
    let tensor = try tensor(name)
    if let columns, columns != tensor.columns {
      throw WeightsError.invalid(
        file: tensor.bytes.file.path,
        .tensor(
          name: name, .shape(expected: "rows of \(columns)", found: tensor.shape)))
    }
    guard let source = tensor.rowSource() else {
      throw WeightsError.unsupported(
        file: tensor.bytes.file.path,
        .tensorType(tensor: name, id: tensor.typeID, name: tensor.encoding?.name))
    }
    return source
  }

  package func releasePages() {
    for file in files { file.adviseDontNeed(0..<file.count) }
  }

  package func vector(_ name: String) throws -> [Float] {
    let source = try matrix(name)
    return try source.finiteElements(file: path)
  }
}

extension GGUFTensor {
  /// The tensor's rows; nil if Pipit cannot unpack its type.
  func rowSource() -> (any RowSource)? {
    switch encoding?.layout {
    case .f32: dense(.float32)
    case .f16: dense(.float16)
    case .bf16: dense(.bfloat16)
    case .q4_0: blocks(Q4_0())
    case .q4_1: blocks(Q4_1())
    case .q5_0: blocks(Q5_0())
    case .q5_1: blocks(Q5_1())
    case .q8_0: blocks(Q8_0())
    case .q1_0(let group): blocks(Q1_0(group: group))
    case .q2_0(let group): blocks(Q2_0(group: group))
    case .q4_K: blocks(Q4_K())
    case .q5_K: blocks(Q5_K())
    case .q6_K: blocks(Q6_K())
    case nil: nil
    }
  }

  private func dense(_ type: ScaleType) -> any RowSource {
    DenseRows(name: name, rows: rows, columns: columns, type: type, bytes: bytes)
  }

  private func blocks(_ layout: some BlockLayout) -> any RowSource {
    BlockRows(name: name, rows: rows, columns: columns, layout: layout, bytes: bytes)
  }
}
