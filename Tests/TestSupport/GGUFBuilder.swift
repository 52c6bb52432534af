/// Writes GGUF files for tests, sound ones by default and broken ones on request.
package struct GGUFBuilder: Sendable {
  /// A metadata value.
  package enum Value: Sendable {
    case uint8(UInt8), int8(Int8), uint16(UInt16), int16(Int16), uint32(UInt32), int32(Int32)
    case float32(Float), bool(UInt8), string(String), uint64(UInt64), int64(Int64)
    case float64(Double)
    case strings([String])
    case int32s([Int32])
    case float32s([Float])
    case bools([Bool])
    /// An array of arrays.
    case nested([Value])
    /// Type id and bytes as they are.
    case raw(UInt32, [UInt8])
  }

  /// A tensor; `dimensions` contiguous first, as the file has them.
  package struct Tensor: Sendable {
    package var name: String
    package var dimensions: [UInt64]
    package var type: UInt32
    package var data: [UInt8]
    /// Replaces the offset that the builder computes.
    package var offset: UInt64?

    package init(
      _ name: String, _ dimensions: [UInt64], type: UInt32, data: [UInt8], offset: UInt64? = nil
    ) {
      self.name = name
      self.dimensions = dimensions
      self.type = type
      self.data = data
      self.offset = offset
    }
  }

  package var magic: [UInt8] = Array("GGUF".utf8)
  package var version: UInt32 = 3
  package var metadata: [(key: String, value: Value)] = []
  package var tensors: [Tensor] = []
  package var alignment = 32
  /// Replaces the number of tensors.
  package var tensorCount: UInt64?
  /// Replaces the number of keys.
  package var keyCount: UInt64?

  package init() {}

  /// Adds metadata.
  package mutating func set(_ key: String, _ value: Value) {
    metadata.append((key, value))
  }

  /// Adds a float32 tensor.
  package mutating func addFloats(_ name: String, _ dimensions: [UInt64], _ values: [Float]) {
    tensors.append(
      Tensor(name, dimensions, type: 0, data: values.flatMap { littleEndian($0.bitPattern) }))
  }

  /// The file.
  package func bytes() -> [UInt8] {
    var bytes = header()
    guard !tensors.isEmpty else { return bytes }
    pad(&bytes)
    for tensor in tensors {
      bytes += tensor.data
      pad(&bytes)
    }
    return bytes
  }

  /// The file up to the end of the tensor list, before padding.
  package func header() -> [UInt8] {
    var bytes = magic + littleEndian(version)
    bytes += littleEndian(tensorCount ?? UInt64(tensors.count))
    bytes += littleEndian(keyCount ?? UInt64(metadata.count))
    for (key, value) in metadata {
      bytes += text(key) + encode(value)
    }
    var offset = 0
    for tensor in tensors {
      bytes += text(tensor.name) + littleEndian(UInt32(tensor.dimensions.count))
      bytes += tensor.dimensions.flatMap { littleEndian($0) }
      bytes += littleEndian(tensor.type) + littleEndian(tensor.offset ?? UInt64(offset))
      offset += (tensor.data.count + alignment - 1) / alignment * alignment
    }
    return bytes
  }

  private func pad(_ bytes: inout [UInt8]) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }

  private func text(_ text: String) -> [UInt8] {
    littleEndian(UInt64(text.utf8.count)) + Array(text.utf8)
  }

  private func encode(_ value: Value) -> [UInt8] {
    let (type, bytes) = payload(value)
    return littleEndian(type) + bytes
  }

  private func payload(_ value: Value) -> (UInt32, [UInt8]) {
    switch value {
    case .uint8(let value): (0, [value])
    case .int8(let value): (1, littleEndian(value))
    case .uint16(let value): (2, littleEndian(value))
    case .int16(let value): (3, littleEndian(value))
    case .uint32(let value): (4, littleEndian(value))
    case .int32(let value): (5, littleEndian(value))
    case .float32(let value): (6, littleEndian(value.bitPattern))
    case .bool(let value): (7, [value])
    case .string(let value): (8, text(value))
    case .uint64(let value): (10, littleEndian(value))
    case .int64(let value): (11, littleEndian(value))
    case .float64(let value): (12, littleEndian(value.bitPattern))
    case .strings(let values): array(8, values.count, values.flatMap(text))
    case .int32s(let values): array(5, values.count, values.flatMap { littleEndian($0) })
    case .float32s(let values):
      array(6, values.count, values.flatMap { littleEndian($0.bitPattern) })
    case .bools(let values): array(7, values.count, values.map { $0 ? 1 : 0 })
    case .nested(let values): array(9, values.count, values.flatMap { payload($0).1 })
    case .raw(let type, let bytes): (type, bytes)
    }
  }

  private func array(_ type: UInt32, _ count: Int, _ bytes: [UInt8]) -> (UInt32, [UInt8]) {
    (9, littleEndian(type) + littleEndian(UInt64(count)) + bytes)
  }
}

/// The bytes of an integer, lowest first.
package func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
