import JSON

/// Finds the texts of a document's messages in its bytes, without making values of the rest, most of
/// which is token ids and figures.
enum DocumentSkimmer {
  /// A message's texts, as the insides of JSON strings.
  struct Message {
    var id: Int?
    var content: Range<Int>?
    var reasoning: Range<Int>?
  }

  /// The messages of a document, in order; of one that is damaged those before the damage.
  static func messages(in bytes: [UInt8]) -> [Message] {
    var messages: [Message] = []
    var cursor = JSONCursor(bytes)
    try? cursor.readObject { cursor, key in
      guard key == "messages" else { return try cursor.skipValue() }
      try cursor.readArray { cursor in
        guard try cursor.peek() == UInt8(ascii: "{") else { return try cursor.skipValue() }
        var message = Message()
        try cursor.readObject { cursor, key in
          switch key {
          case "id": message.id = try cursor.readValue().intValue
          case "content": message.content = try skipString(&cursor)
          case "reasoning": message.reasoning = try skipString(&cursor)
          default: try cursor.skipValue()
          }
        }
        messages.append(message)
      }
    }
    return messages
  }

  /// Passes over a value; the inside of it if it is a string.
  private static func skipString(_ cursor: inout JSONCursor) throws -> Range<Int>? {
    let isString = try cursor.peek() == UInt8(ascii: "\"")
    let start = cursor.offset
    try cursor.skipValue()
    return isString ? (start + 1)..<(cursor.offset - 1) : nil
  }
}
