import JSON

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
