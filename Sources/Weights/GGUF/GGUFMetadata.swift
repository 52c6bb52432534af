/// The metadata of a GGUF file: keys in file order, values left in the file until asked for.
package struct GGUFMetadata: Sendable {
  private struct Entry {
    let key: String
    let type: GGUFValueType
    let bytes: FileBytes
  }

  private let path: String
  private var entries: [Entry] = []
  private var index: [String: Int] = [:]

  init(path: String) {
    self.path = path
  }

  mutating func append(
    _ key: String, type: GGUFValueType, bytes: FileBytes
  ) throws(FileProblem) {
    guard index.updateValue(entries.count, forKey: key) == nil else {
      throw .duplicate(kind: .key, name: key)
    }
    entries.append(Entry(key: key, type: type, bytes: bytes))
  }

  /// Keys in file order.
  package var keys: [String] { entries.map(\.key) }

  /// Whether there is such a key.
  package func contains(_ key: String) -> Bool { index[key] != nil }

  /// The value, or nil if there is none.
  package subscript(key: String) -> GGUFValue? {
    guard let position = index[key] else { return nil }
    let entry = entries[position]
    var cursor = ByteCursor(entry.bytes, part: key)
    return try? cursor.readValue(entry.type, key: key)
  }

  /// An integer of any integer type; nil if the key is missing.
  package func integer(_ key: String) throws(WeightsError) -> Int? {
    switch self[key] {
    case nil: return nil
    case .unsigned(let value):
      guard let value = Int(exactly: value) else {
        throw problem(key, .outOfRange(String(value)))
      }
      return value
    case .signed(let value): return Int(value)
    case let value?: throw mismatch(key, "an integer", value)
    }
  }

  /// A floating-point number, or an integer as one; nil if the key is missing.
  ///
  /// A value that is not finite is refused.
  package func number(_ key: String) throws(WeightsError) -> Double? {
    let number: Double
    switch self[key] {
    case nil: return nil
    case .float(let value): number = value
    case .unsigned(let value): number = Double(value)
    case .signed(let value): number = Double(value)
    case let value?: throw mismatch(key, "a number", value)
    }
    guard number.isFinite else { throw problem(key, .outOfRange(String(number))) }
    return number
  }

  /// A truth value; nil if the key is missing.
  package func bool(_ key: String) throws(WeightsError) -> Bool? {
    switch self[key] {
    case nil: return nil
    case .bool(let value): return value
    case let value?: throw mismatch(key, "a truth value", value)
    }
  }

  /// Text, with U+FFFD for what is not UTF-8; nil if the key is missing.
  package func string(_ key: String) throws(WeightsError) -> String? {
    switch self[key] {
    case nil: return nil
    case .string(let value): return value
    case let value?: throw mismatch(key, "text", value)
    }
  }

  /// An array; nil if the key is missing.
  package func array(_ key: String) throws(WeightsError) -> GGUFArray? {
    switch self[key] {
    case nil: return nil
    case .array(let value): return value
    case let value?: throw mismatch(key, "an array", value)
    }
  }

  /// An array of texts; nil if the key is missing.
  package func strings(_ key: String) throws(WeightsError) -> [String]? {
    guard let array = try array(key) else { return nil }
    return try located { () throws(FileProblem) in try array.strings() }
  }

  /// An array of texts that stay in the file; nil if the key is missing.
  package func texts(_ key: String) throws(WeightsError) -> GGUFTexts? {
    guard let array = try array(key) else { return nil }
    return try located { () throws(FileProblem) in try GGUFTexts(array) }
  }

  /// An array of integers; nil if the key is missing.
  package func integers(_ key: String) throws(WeightsError) -> [Int]? {
    guard let array = try array(key) else { return nil }
    return try located { () throws(FileProblem) in try array.integers() }
  }

  /// An array of integers of 32 bits; nil if the key is missing.
  package func integers32(_ key: String) throws(WeightsError) -> [Int32]? {
    guard let array = try array(key) else { return nil }
    return try located { () throws(FileProblem) in try array.integers32() }
  }

  /// An array of floating-point numbers; nil if the key is missing.
  package func floats(_ key: String) throws(WeightsError) -> [Float]? {
    guard let array = try array(key) else { return nil }
    return try located { () throws(FileProblem) in try array.floats() }
  }

  /// An array of truth values; nil if the key is missing.
  package func bools(_ key: String) throws(WeightsError) -> [Bool]? {
    guard let array = try array(key) else { return nil }
    return try located { () throws(FileProblem) in try array.bools() }
  }

  /// One integer per layer: an array of exactly `layers`, or one integer for all of them; nil if
  /// the key is missing.
  package func integers(_ key: String, perLayer layers: Int) throws(WeightsError) -> [Int]? {
    guard case .array? = self[key] else {
      return try integer(key).map { Array(repeating: $0, count: layers) }
    }
    guard let values = try integers(key) else { return nil }
    guard values.count == layers else {
      throw problem(key, .length(expected: layers, found: values.count))
    }
    return values
  }

  /// `value`, or the error that says that `key` is missing.
  package func required<Value>(_ key: String, _ value: Value?) throws(WeightsError) -> Value {
    guard let value else { throw problem(key, .missing) }
    return value
  }

  private func located<Value>(
    _ body: () throws(FileProblem) -> Value
  ) throws(WeightsError) -> Value {
    do {
      return try body()
    } catch {
      throw .invalid(file: path, error)
    }
  }

  private func problem(_ key: String, _ problem: MetadataProblem) -> WeightsError {
    .invalid(file: path, .metadata(key: key, problem))
  }

  private func mismatch(_ key: String, _ expected: String, _ found: GGUFValue) -> WeightsError {
    let label =
      switch found {
      case .unsigned, .signed: "an integer"
      case .float: "a floating-point number"
      case .bool: "a truth value"
      case .string: "text"
      case .array: "an array"
      }
    return problem(key, .type(expected: expected, found: label))
  }
}
