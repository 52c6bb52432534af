// The index spares a list from reading every conversation. It is made of the documents and believed
// only where it tells of the very file that is there; what it says otherwise, or does not say, is
// read from the document. So nothing is lost with it, and a process that cannot write it at once
// need not wait.

import JSON

/// What the index says: summaries, each of one state of a document.
struct ConversationIndex: Sendable {
  struct Entry: Sendable, Hashable {
    var summary: ConversationSummary
    var status: FileStatus
  }

  static let formatName = "pipit index"
  static let version = 1

  var entries: [ConversationID: Entry] = [:]
  /// Whether it was written by a later Pipit.
  private(set) var isReadOnly = false

  init() {}

  /// - Throws: `DocumentError`. An entry that makes no sense is left out.
  init(_ bytes: [UInt8]) throws(DocumentError) {
    var isIndex = false
    do {
      var cursor = JSONCursor(bytes)
      try cursor.readObject { cursor, key in
        switch key {
        case "format": isIndex = try cursor.readValue().stringValue == Self.formatName
        case "version":
          guard let version = try cursor.readValue().intValue else {
            throw DocumentError.notAConversation
          }
          isReadOnly = version > Self.version
        case "conversations":
          try cursor.readArray { cursor in
            guard try cursor.peek() == UInt8(ascii: "{") else {
              _ = try cursor.readValue()
              return
            }
            var fields = EntryFields()
            try cursor.readObject { cursor, key in try fields.read(key, &cursor) }
            if let entry = fields.entry { entries[entry.summary.id] = entry }
          }
        default: _ = try cursor.readValue()
        }
      }
      try cursor.expectEnd()
    } catch let error as JSONError {
      throw .malformed(error)
    } catch {
      throw .notAConversation
    }
    if !isIndex { throw .notAConversation }
  }

  /// The whole file, with one conversation to a line.
  func document() -> [UInt8] {
    var text = Self.head
    var separator = "\n"
    for entry in entries.values {
      text += separator + Self.line(entry)
      separator = ",\n"
    }
    return Array((text + Self.tail).utf8)
  }

  private static let head =
    #"{"format":"\#(formatName)","version":\#(version),"conversations":["#
  private static let tail = "\n]}\n"

  private static func line(_ entry: Entry) -> String {
    let summary = entry.summary
    let status = entry.status
    return JSONValue.members([
      ("id", .string(summary.id.description)), ("title", .string(summary.title)),
      ("created", .string(summary.created.iso8601)),
      ("updated", .string(summary.updated.iso8601)), ("model", .optional(summary.model)),
      ("messages", .integer(summary.messageCount)), ("branches", .integer(summary.branchCount)),
      ("pinned", .bool(summary.isPinned)), ("deleted", .optional(summary.deleted?.iso8601)),
      ("device", .unsigned(status.device)), ("inode", .unsigned(status.inode)),
      ("size", .integer(status.size)), ("modified", .integer(status.modified)),
    ]).text
  }

  /// The file with one conversation's line replaced, added, or with nil taken away; nil when it is
  /// not laid out as `document()` does it.
  ///
  /// A tenth of the time of reading and writing all of it.
  static func document(
    _ bytes: [UInt8], setting id: ConversationID, to entry: Entry?
  ) -> [UInt8]? {
    let head = Array(head.utf8)
    let tail = Array(tail.utf8)
    guard bytes.starts(with: head), bytes.count >= head.count + tail.count,
      bytes.suffix(tail.count).elementsEqual(tail)
    else { return nil }
    let end = bytes.count - tail.count
    let key = Array("\n{\"id\":\"\(id)\"".utf8)
    let line = entry.map { Array(("\n" + Self.line($0)).utf8) }
    if let start = bytes.firstRange(of: key, in: head.count..<end) {
      let stop = bytes[(start + 1)..<end].firstIndex(of: 0x0A) ?? end
      // The comma stands at the end of every line but the last.
      let isLast = stop == end
      if let line {
        return bytes[..<start] + line + (isLast ? [] : [UInt8(ascii: ",")]) + bytes[stop...]
      }
      // Without the last line the one before it loses its comma.
      let keptEnd = isLast && start > head.count ? start - 1 : start
      return Array(bytes[..<keptEnd] + bytes[stop...])
    }
    guard let line else { return bytes }
    let separator = end == head.count ? [] : [UInt8(ascii: ",")]
    return Array(bytes[..<end] + separator + line + bytes[end...])
  }
}

/// The members of an entry as they are met.
private struct EntryFields {
  private var id: ConversationID?
  private var title: String?
  private var created: Timestamp?
  private var updated: Timestamp?
  private var model: String?
  private var messages = 0
  private var branches = 0
  private var isPinned = false
  private var deleted: Timestamp?
  private var device: UInt64?
  private var inode: UInt64?
  private var size: Int?
  private var modified: Int?

  mutating func read(_ key: String, _ cursor: inout JSONCursor) throws {
    let value = try cursor.readValue()
    switch key {
    case "id": id = value.stringValue.flatMap { ConversationID($0) }
    case "title": title = value.stringValue
    case "created": created = value.stringValue.flatMap { Timestamp(iso8601: $0) }
    case "updated": updated = value.stringValue.flatMap { Timestamp(iso8601: $0) }
    case "model": model = value.stringValue
    case "messages": messages = max(0, value.intValue ?? 0)
    case "branches": branches = max(0, value.intValue ?? 0)
    case "pinned": isPinned = value.boolValue ?? false
    case "deleted": deleted = value.stringValue.flatMap { Timestamp(iso8601: $0) }
    case "device": device = value.unsignedValue
    case "inode": inode = value.unsignedValue
    case "size": size = value.intValue
    case "modified": modified = value.intValue
    default: break
    }
  }

  var entry: ConversationIndex.Entry? {
    guard let id, let title, let created, let updated, let device, let inode, let size,
      let modified
    else { return nil }
    return ConversationIndex.Entry(
      summary: ConversationSummary(
        id: id, title: title, created: created, updated: updated, model: model,
        messageCount: messages, branchCount: branches, isPinned: isPinned, deleted: deleted),
      status: FileStatus(device: device, inode: inode, size: size, modified: modified))
  }
}

extension [UInt8] {
  /// Where `pattern` first begins in a range.
  fileprivate func firstRange(of pattern: [UInt8], in range: Range<Int>) -> Int? {
    guard let first = pattern.first else { return nil }
    var position = range.lowerBound
    while position + pattern.count <= range.upperBound {
      if self[position] == first,
        self[position..<(position + pattern.count)].elementsEqual(pattern)
      {
        return position
      }
      position += 1
    }
    return nil
  }
}
