import JSON

extension JSONCursor {
  /// A cursor for a tokenizer's file, whose parts outside the vocabulary are small.
  init(tokenizer bytes: [UInt8]) {
    self.init(bytes, depthLimit: 64, valueLimit: 200_000)
  }

  /// The next value; nil if it is null, which these files write for "not set".
  mutating func readPart() throws(JSONError) -> JSONValue? {
    let value = try readValue()
    return value == .null ? nil : value
  }

  /// The error of a value that no tokenizer has.
  func error(_ reason: String) -> TokenizerError { .invalidJSON(offset: offset, reason: reason) }
}

extension TokenizerError {
  /// Calls `body`, whose errors about JSON become errors about a tokenizer.
  static func reading(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as JSONError {
      throw TokenizerError.invalidJSON(offset: error.offset, reason: "it \(error.problem)")
    }
  }
}

extension JSONValue {
  /// The `type` of a part of tokenizer.json.
  var type: String? { self["type"]?.stringValue }
}
