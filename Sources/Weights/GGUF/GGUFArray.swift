/// An array in metadata, still in the file; it was walked when the file was opened.
package struct GGUFArray: Sendable {
  /// The key, for messages.
  let key: String
  /// The type of every element.
  package let elementType: GGUFValueType
  /// Elements.
  package let count: Int
  /// The elements' bytes, without the array's type and count.
  let bytes: FileBytes
}

extension GGUFArray {
  /// The elements as text; throws if the array holds something else or is not UTF-8.
  package func strings() throws(FileProblem) -> [String] {
    guard elementType == .string || count == 0 else { throw mismatch("text") }
    guard count > 0 else { return [] }
    var result: [String] = []
    result.reserveCapacity(count)
    var offset = 0
    for index in 0..<count {
      let start = offset + MemoryLayout<UInt64>.size
      offset = start + Int(bytes.load(UInt64.self, at: offset))
      guard let text = bytes.text(start..<offset) else {
        throw .metadata(key: key, .notUTF8(index: index))
      }
      result.append(text)
    }
    return result
  }

  /// The elements as integers, whatever integer type they are stored in.
  package func integers() throws(FileProblem) -> [Int] { try integers(as: Int.self) }

  /// The elements as integers of half the width; throws if one does not fit.
  package func integers32() throws(FileProblem) -> [Int32] { try integers(as: Int32.self) }

  // Not for other modules, which would call it without knowing the types: fifty times slower.
  private func integers<Integer: FixedWidthInteger>(
    as _: Integer.Type
  ) throws(FileProblem) -> [Integer] {
    switch elementType {
    case .uint8: return try integers(of: UInt8.self)
    case .uint16: return try integers(of: UInt16.self)
    case .uint32: return try integers(of: UInt32.self)
    case .uint64: return try integers(of: UInt64.self)
    case .int8: return try integers(of: Int8.self)
    case .int16: return try integers(of: Int16.self)
    case .int32: return try integers(of: Int32.self)
    case .int64: return try integers(of: Int64.self)
    case .float32, .float64, .bool, .string, .array:
      guard count == 0 else { throw mismatch("integers") }
      return []
    }
  }

  private func integers<Stored: FixedWidthInteger & BitwiseCopyable, Integer: FixedWidthInteger>(
    of _: Stored.Type
  ) throws(FileProblem) -> [Integer] {
    var result: [Integer] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let stored = bytes.load(Stored.self, at: index * MemoryLayout<Stored>.size)
      guard let value = Integer(exactly: stored) else {
        throw .metadata(key: key, .outOfRange(String(stored)))
      }
      result.append(value)
    }
    return result
  }

  /// The elements as float32.
  package func floats() throws(FileProblem) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      switch elementType {
      case .float32: result.append(Float(bitPattern: bytes.load(at: index * 4)))
      case .float64: result.append(Float(Double(bitPattern: bytes.load(at: index * 8))))
      default: throw mismatch("floating-point numbers")
      }
    }
    return result
  }

  /// The elements as truth values.
  package func bools() throws(FileProblem) -> [Bool] {
    guard elementType == .bool || count == 0 else { throw mismatch("truth values") }
    return (0..<count).map { bytes[$0] != 0 }
  }

  /// The first `limit` elements, for display.
  package func prefix(_ limit: Int) -> [GGUFValue] {
    var result: [GGUFValue] = []
    var cursor = ByteCursor(bytes, part: key)
    for _ in 0..<min(limit, count) {
      guard let value = try? cursor.readValue(elementType, key: key) else { break }
      result.append(value)
    }
    return result
  }

  func mismatch(_ expected: String) -> FileProblem {
    .metadata(
      key: key,
      .type(expected: "an array of \(expected)", found: "an array of \(elementType)"))
  }
}
