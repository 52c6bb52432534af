import FoundationEssentials
package import Tokenizers
package import Transformers
import Weights

/// What models have read of conversations, kept in files of a folder from one run to the next.
///
/// A file is believed only if it is whole and of the very same model, rules and settings; what it
/// holds is then used as far as its tokens are those of a prompt. So a file that is missing or wrong
/// costs time and changes nothing.
package struct SessionStore: Sendable {
  private let folder: BoundedFolder

  private static let kind: StaticString = "pipit state\n"

  /// Above this, more sessions are hardly of use.
  private static let mostBytes = 4_000_000_000

  /// Sessions in a folder, which is made when the first is written.
  ///
  /// The limit is for all files together, in bytes; nil is a tenth of what is free there besides
  /// them, at most 4 GB. What was not written for longest goes first.
  package init(directory: String, limit: Int? = nil) {
    folder = BoundedFolder(
      directory: directory, suffix: ".state", fixedLimit: limit, most: Self.mostBytes)
  }

  // MARK: One session

  /// Writes a session, in place of an earlier one of that name.
  ///
  /// - Throws: `SessionError.tooLarge`, or `ArchiveError`.
  package func write(_ readings: [Reading], key: String, name: String) throws {
    folder.make()
    let size = byteCount(readings)
    let limit = limit
    guard size <= limit else { throw SessionError.tooLarge(size, limit: limit) }
    folder.trim(keeping: path(name), to: limit - size)
    let file = try ArchiveWriter(path: path(name), kind: Self.kind)
    try file.write(key)
    for reading in readings {
      try file.write(UInt32(reading.tokens.count))
      for token in reading.tokens { try file.write(token) }
    }
    try file.write(UInt32.max)
    try StateArchive.write(readings.map(\.state), to: file)
    try file.commit()
  }

  /// What a session holds that is of use for a conversation's tokens, the most useful first; `empty`
  /// is a state of the model that has read nothing.
  ///
  /// - Throws: `ArchiveError`, whose `isMissing` tells that there is no such session, or
  ///   `SessionError.otherModel`.
  package func read(
    _ name: String, of wanted: [TokenID], key: String, like empty: ModelState
  ) throws -> [Reading] {
    var file = try ArchiveReader(path: path(name), kind: Self.kind)
    guard try file.readText() == key else { throw SessionError.otherModel(path: path(name)) }
    var tokens: [[TokenID]] = []
    var count = Int(try file.read(UInt32.self))
    while count != UInt32.max {
      guard count <= empty.context else { throw SessionError.longerContext(path: path(name)) }
      var list: [TokenID] = []
      for _ in 0..<count { list.append(try file.read()) }
      tokens.append(list)
      count = Int(try file.read(UInt32.self))
    }
    guard tokens.contains(where: { $0.first == wanted.first }) else { return [] }
    let states = try StateArchive.read(like: empty, from: &file)
    try file.finish()
    guard states.map(\.position) == tokens.map(\.count) else { throw file.inconsistency }
    return zip(states, tokens).map { Reading(state: $0, tokens: $1) }
      .filter { $0.usable(for: wanted[...]) > 0 }
      .sorted { $0.usable(for: wanted[...]) > $1.usable(for: wanted[...]) }
  }

  /// Bytes of a session's file, or nil if there is none.
  package func byteCount(_ name: String) -> Int? {
    FileIdentity(path: path(name)).map { Int($0.size) }
  }

  /// Removes a session, if there is one.
  package func remove(_ name: String) {
    try? FileManager.default.removeItem(atPath: path(name))
  }

  /// The file of a session, whatever its name is made of.
  package func path(_ name: String) -> String {
    folder.path(name)
  }

  // MARK: All of them

  package var directory: String { folder.directory }

  /// Bytes of all sessions.
  package var byteCount: Int { folder.byteCount }

  /// The most bytes that they may have.
  package var limit: Int { folder.limit }

  /// Removes all sessions, and what was begun of others.
  package func removeAll() { folder.removeAll() }

  private func byteCount(_ readings: [Reading]) -> Int {
    var parts: Set<ObjectIdentifier> = []
    var sum = 0
    for reading in readings {
      sum += reading.tokens.count * MemoryLayout<TokenID>.stride
      reading.state.forEachPart {
        if parts.insert($0.identity).inserted { sum += $0.byteCount }
      }
    }
    return sum
  }
}
