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
  package let directory: String
  private let fixedLimit: Int?

  private static let suffix = ".state"
  private static let temporarySuffix = ".part"
  private static let kind: StaticString = "pipit state\n"

  /// Above this, more sessions are hardly of use.
  private static let mostBytes = 4_000_000_000

  /// Sessions in a folder, which is made when the first is written.
  ///
  /// The limit is for all files together, in bytes; nil is a tenth of what is free there besides
  /// them, at most 4 GB. What was not written for longest goes first.
  package init(directory: String, limit: Int? = nil) {
    self.directory = directory
    fixedLimit = limit
  }

  // MARK: One session

  /// Writes a session, in place of an earlier one of that name.
  ///
  /// - Throws: `SessionError.tooLarge`, or `ArchiveError`.
  package func write(_ readings: [Reading], key: String, name: String) throws {
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let size = byteCount(readings)
    let limit = limit
    guard size <= limit else { throw SessionError.tooLarge(size, limit: limit) }
    trim(keeping: name, to: limit - size)
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
    let hexadecimal = Array("0123456789ABCDEF")
    var file = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        file.unicodeScalars.append(Unicode.Scalar(byte))
      default: file += "%\(hexadecimal[Int(byte >> 4)])\(hexadecimal[Int(byte & 15)])"
      }
    }
    return "\(directory)/\(file)\(Self.suffix)"
  }

  // MARK: All of them

  /// Bytes of all sessions.
  package var byteCount: Int { files().reduce(0) { $0 + Int($1.identity.size) } }

  /// The most bytes that they may have.
  package var limit: Int {
    if let fixedLimit { return fixedLimit }
    let free = (try? FileManager.default.attributesOfFileSystem(forPath: directory))?[
      .systemFreeSize]
    return min(Self.mostBytes, ((free as? Int ?? Self.mostBytes) + byteCount) / 10)
  }

  /// Removes all sessions, and what was begun of others.
  package func removeAll() {
    for file in files() { try? FileManager.default.removeItem(atPath: file.path) }
  }

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

  private struct File {
    let path: String
    let identity: FileIdentity
  }

  private func files() -> [File] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(Self.suffix) || name.hasSuffix(Self.temporarySuffix) else { return nil }
      let path = "\(directory)/\(name)"
      return FileIdentity(path: path).map { File(path: path, identity: $0) }
    }
  }

  /// Removes the oldest files until the rest has at most `most` bytes; what a process that died had
  /// begun to write is among them, the file that is to be replaced is not.
  private func trim(keeping name: String, to most: Int) {
    let kept = path(name)
    let others = files().filter { $0.path != kept }
      .sorted { $0.identity.modified < $1.identity.modified }
    var sum = others.reduce(0) { $0 + Int($1.identity.size) }
    for file in others where sum > most {
      try? FileManager.default.removeItem(atPath: file.path)
      sum -= Int(file.identity.size)
    }
  }
}
