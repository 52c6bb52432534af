/// Writes safetensors files for tests, sound ones by default and broken ones on request.
package struct SafetensorsBuilder: Sendable {
  /// A tensor.
  package struct Tensor: Sendable {
    package var name: String
    package var dtype: String
    package var shape: [Int]
    package var data: [UInt8]
    /// Replaces the offsets that the builder computes.
    package var offsets: (Int, Int)?

    package init(
      _ name: String, _ dtype: String, _ shape: [Int], data: [UInt8], offsets: (Int, Int)? = nil
    ) {
      self.name = name
      self.dtype = dtype
      self.shape = shape
      self.data = data
      self.offsets = offsets
    }
  }

  package var tensors: [Tensor] = []
  /// The `__metadata__` object, as JSON text.
  package var metadata: String?
  /// Replaces the header's JSON.
  package var json: String?
  /// Replaces the header's length.
  package var headerLength: UInt64?
  /// Spaces after the JSON.
  package var padding = 0

  package init() {}

  /// Adds a float32 tensor.
  package mutating func addFloats(_ name: String, _ shape: [Int], _ values: [Float]) {
    tensors.append(
      Tensor(name, "F32", shape, data: values.flatMap { littleEndian($0.bitPattern) }))
  }

  /// The file.
  package func bytes() -> [UInt8] {
    let header = Array((json ?? makeJSON()).utf8) + Array(repeating: 0x20, count: padding)
    return littleEndian(headerLength ?? UInt64(header.count)) + header + tensors.flatMap(\.data)
  }

  private func makeJSON() -> String {
    var members = metadata.map { ["\"__metadata__\":\($0)"] } ?? []
    var offset = 0
    for tensor in tensors {
      let (begin, end) = tensor.offsets ?? (offset, offset + tensor.data.count)
      offset += tensor.data.count
      members.append(
        "\"\(tensor.name)\":{\"dtype\":\"\(tensor.dtype)\",\"shape\":\(tensor.shape),"
          + "\"data_offsets\":[\(begin),\(end)]}")
    }
    return "{\(members.joined(separator: ","))}"
  }
}
