/// A metadata value.
package enum GGUFValue: Sendable {
  case unsigned(UInt64)
  case signed(Int64)
  case float(Double)
  case bool(Bool)
  /// Text, with U+FFFD for what is not UTF-8.
  case string(String)
  case array(GGUFArray)
}

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

extension FileBytes {
  /// The value of a type of fixed size that starts here.
  func scalar(_ type: GGUFValueType) -> GGUFValue? {
    switch type {
    case .uint8: .unsigned(UInt64(load(UInt8.self, at: 0)))
    case .uint16: .unsigned(UInt64(load(UInt16.self, at: 0)))
    case .uint32: .unsigned(UInt64(load(UInt32.self, at: 0)))
    case .uint64: .unsigned(load(at: 0))
    case .int8: .signed(Int64(load(Int8.self, at: 0)))
    case .int16: .signed(Int64(load(Int16.self, at: 0)))
    case .int32: .signed(Int64(load(Int32.self, at: 0)))
    case .int64: .signed(load(at: 0))
    case .float32: .float(Double(Float(bitPattern: load(at: 0))))
    case .float64: .float(Double(bitPattern: load(at: 0)))
    case .bool: .bool(self[0] != 0)
    case .string, .array: nil
    }
  }
}

extension ByteCursor {
  /// How deep arrays may nest.
  static let arrayDepthLimit = 8

  /// Passes over a value, checking that all of it is there.
  mutating func skipValue(
    _ type: GGUFValueType, key: String, depth: Int = 0
  ) throws(FileProblem) {
    if let size = type.fixedSize {
      _ = try take(UInt64(size))
    } else if type == .string {
      _ = try takeString()
    } else {
      let (elementType, count) = try readArrayHeader(key: key)
      try skipElements(elementType, count: count, key: key, depth: depth)
    }
  }

  private mutating func skipElements(
    _ type: GGUFValueType, count: Int, key: String, depth: Int
  ) throws(FileProblem) {
    if let size = type.fixedSize {
      _ = try take(UInt64(count), of: size)
    } else if type == .string {
      for _ in 0..<count { _ = try takeString() }
    } else {
      guard depth + 1 < Self.arrayDepthLimit else {
        throw .metadata(key: key, .nestedTooDeeply(limit: Self.arrayDepthLimit))
      }
      for _ in 0..<count { try skipValue(type, key: key, depth: depth + 1) }
    }
  }

  /// Reads a value; arrays stay in the file.
  mutating func readValue(_ type: GGUFValueType, key: String) throws(FileProblem) -> GGUFValue {
    if let size = type.fixedSize {
      let range = try take(UInt64(size))
      if let value = bytes[range].scalar(type) { return value }
    }
    if type == .string { return .string(bytes[try takeString()].repairedText()) }
    let (elementType, count) = try readArrayHeader(key: key)
    let start = offset
    try skipElements(elementType, count: count, key: key, depth: 0)
    return .array(
      GGUFArray(
        key: key, elementType: elementType, count: count, bytes: bytes[start..<offset]))
  }

  private mutating func readArrayHeader(
    key: String
  ) throws(FileProblem) -> (GGUFValueType, Int) {
    let type = try readValueType(key: key)
    let count = try read(UInt64.self)
    return (
      type,
      try check(
        count, of: "elements in metadata \"\(key.displayable(limit: 120))\"",
        minimumSize: type.minimumSize)
    )
  }

  /// A value's type.
  mutating func readValueType(key: String) throws(FileProblem) -> GGUFValueType {
    let id = try read(UInt32.self)
    guard let type = GGUFValueType(rawValue: id) else {
      throw .metadata(key: key, .unknownType(id))
    }
    return type
  }
}
