import JSON

/// A document taken apart: what is said once, and the records of its messages as they stand.
struct DocumentParts {
  private(set) var members = JSONObject()
  private(set) var records: [[UInt8]] = []
  private(set) var hasMessages = false
  /// Whether the bytes are no whole JSON text: then the records are those of the lines that are.
  private(set) var isDamaged = false

  /// - Throws: `DocumentError.malformed` when the text ends or goes wrong before the messages.
  init(_ bytes: [UInt8]) throws(DocumentError) {
    var members: [(String, JSONValue)] = []
    var messagesStart: Int?
    var cursor = JSONCursor(bytes, valueLimit: 1_000_000)
    do {
      try cursor.readObject { cursor, key in
        guard key == "messages", messagesStart == nil else {
          members.append((key, try cursor.readValue()))
          return
        }
        messagesStart = cursor.offset
        try cursor.readArray { cursor in
          _ = try cursor.peek()
          let start = cursor.offset
          try cursor.skipValue()
          records.append(Array(bytes[start..<cursor.offset]))
        }
      }
      try cursor.expectEnd()
    } catch {
      guard let messagesStart else {
        throw (error as? JSONError).map { .malformed($0) } ?? .notAConversation
      }
      isDamaged = true
      records = Self.wholeLines(bytes[messagesStart...])
    }
    hasMessages = messagesStart != nil
    self.members = JSONObject(members)
  }

  /// The lines that are each a whole JSON object, less the comma at their ends.
  private static func wholeLines(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      var line = line
      while let last = line.last, last <= 0x20 || last == UInt8(ascii: ",") { line.removeLast() }
      let record = Array(line)
      guard case .object? = try? JSONReader.read(record) else { return nil }
      return record
    }
  }
}
