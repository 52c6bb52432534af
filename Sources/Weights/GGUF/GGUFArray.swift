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
  /// Calls `body` with each element of an array of texts, in order, without copying it.
  ///
  /// Fast enough for the vocabularies of real models (150,000 texts in a few milliseconds).
  package func forEachText<Failure: Error>(
    _ body: (_ index: Int, _ text: FileBytes) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(elementType == .string)
    var offset = 0
    for index in 0..<count {
      let length = Int(bytes.load(UInt64.self, at: offset))
      offset += 8
      try body(index, bytes[offset..<offset + length])
      offset += length
    }
  }

  /// The elements as text; throws if the array holds something else or is not UTF-8.
  package func strings() throws(FileProblem) -> [String] {
    guard elementType == .string || count == 0 else { throw mismatch("text") }
    guard count > 0 else { return [] }
    var result: [String] = []
    result.reserveCapacity(count)
    try forEachText { (index, bytes) throws(FileProblem) in
      guard let text = bytes.text() else {
        throw .metadata(key: key, .notUTF8(index: index))
      }
      result.append(text)
    }
    return result
  }

  /// The elements as integers, whatever integer type they are stored in.
  package func integers() throws(FileProblem) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      guard let size = elementType.fixedSize,
        let value = bytes[index * size..<(index + 1) * size].scalar(elementType)
      else { throw mismatch("integers") }
      switch value {
      case .unsigned(let value):
        guard let value = Int(exactly: value) else {
          throw .metadata(key: key, .outOfRange(String(value)))
        }
        result.append(value)
      case .signed(let value): result.append(Int(value))
      default: throw mismatch("integers")
      }
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

  private func mismatch(_ expected: String) -> FileProblem {
    .metadata(
      key: key,
      .type(expected: "an array of \(expected)", found: "an array of \(elementType)"))
  }
}
