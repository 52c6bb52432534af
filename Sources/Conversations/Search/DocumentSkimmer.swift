// A search reads every document, most of which is token ids and figures. This finds the texts of
// the messages without making values of the rest, at about the speed of reading memory. It is no
// check of a document: of one that is damaged it gives what it can make sense of.

/// Finds the texts of a document's messages in its bytes.
struct DocumentSkimmer {
  /// A message's texts, as the insides of JSON strings.
  struct Message {
    var id: Int?
    var content: Range<Int>?
    var reasoning: Range<Int>?
  }

  private let bytes: [UInt8]
  private var position = 0

  /// The messages of a document, in order.
  static func messages(in bytes: [UInt8]) -> [Message] {
    var skimmer = DocumentSkimmer(bytes: bytes)
    return skimmer.document()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func document() -> [Message] {
    guard take("{") else { return [] }
    while let key = key() {
      guard isEqual(key, "messages"), take("[") else {
        skipValue()
        continue
      }
      var messages: [Message] = []
      while position < bytes.count, !take("]") {
        if let message = message() { messages.append(message) } else { skipValue() }
        _ = take(",")
      }
      return messages
    }
    return []
  }

  private mutating func message() -> Message? {
    guard take("{") else { return nil }
    var message = Message()
    while let key = key() {
      if isEqual(key, "content") {
        message.content = string()
      } else if isEqual(key, "reasoning") {
        message.reasoning = string()
      } else if isEqual(key, "id") {
        message.id = integer()
      } else {
        skipValue()
      }
    }
    return message
  }

  /// The next key of an object, after which its value comes; nil at the end of the object.
  private mutating func key() -> Range<Int>? {
    _ = take(",")
    if take("}") { return nil }
    guard let key = string(), take(":") else {
      position = bytes.count
      return nil
    }
    return key
  }

  /// The inside of a string that comes next; nil, and past whatever it is, when none does.
  private mutating func string() -> Range<Int>? {
    guard take("\"") else {
      if position < bytes.count { skipValue() }
      return nil
    }
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return start..<(position - 1)
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    position = bytes.count
    return nil
  }

  private mutating func integer() -> Int? {
    skipSpace()
    let start = position
    while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 {
      position += 1
    }
    if start == position {
      skipValue()
      return nil
    }
    return Int(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// Goes past a value, and always past something.
  private mutating func skipValue() {
    skipSpace()
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        _ = string()
        if depth == 0 { return }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        position += 1
        if depth <= 0 { return }
      default:
        position += 1
        if depth == 0 { return skipScalar() }
      }
    }
  }

  /// Goes to the end of a number or a word.
  private mutating func skipScalar() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return
      default: position += 1
      }
    }
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Goes past a character if it comes next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    return unsafe text.withUTF8Buffer { buffer in
      for offset in 0..<range.count where unsafe buffer[offset] != bytes[range.lowerBound + offset]
      {
        return false
      }
      return true
    }
  }
}
