import FoundationEssentials
import Glibc

// A file on its way: NAME.part, and NAME.part.journal beside it.
//
// The journal has the digest of each whole chunk, written once the chunk is. So after a crash (of the
// process or of the machine) it is known of every chunk whether it is what came, without trusting
// that it was synced; what has no digest, less than one chunk, is fetched again.
//
//     pipit part 1 CHUNK-SIZE
//     IDENTITY                  what the file is; another one's part is not gone on with
//     TAG or -                  the server's mark of the version that is being fetched
//     64 hexadecimal digits     for each chunk

/// A file on its way, with the journal of what has come.
final class PartFile {
  /// Bytes of a chunk: small beside a model, so that little is lost, and few enough lines.
  static let defaultChunk = 1 << 21

  let path: String
  let chunk: Int
  /// Bytes that are here, from the start.
  private(set) var position = 0
  /// The server's mark of the version that is being fetched.
  private(set) var tag: String?
  private let identity: String
  private let file: OpenFile
  private let journal: OpenFile
  /// Of the whole chunks, and of a last short one once `seal` was called.
  private(set) var digests: [String] = []
  private var current = Digester()
  private var headerLength = 0

  private static let lineLength = 65
  private static let journalLimit = 64_000_000

  /// Opens what is there of the file, or begins it.
  init(folder: String, name: String, identity: String, chunk: Int) throws {
    path = folder + "/" + name + ".part"
    self.chunk = chunk
    self.identity = identity.filter { $0 != "\n" }
    file = try OpenFile(path: path, isCreated: true)
    journal = try OpenFile(path: path + ".journal", isCreated: true)
    if !readJournal() {
      digests = []
      tag = nil
      try file.truncate(to: 0)
      try writeJournal()
    }
    // A last short chunk was the end of a file that was taken for whole: it is begun again.
    let whole = min(digests.count * chunk, file.byteCount) / chunk
    let isSealed = digests.count == whole + 1 && file.byteCount > whole * chunk
    position = isSealed ? file.byteCount : whole * chunk
    digests = Array(digests.prefix(isSealed ? whole + 1 : whole))
    try file.truncate(to: position)
    try trimJournal()
  }

  /// Whether the journal is one of this file.
  private func readJournal() -> Bool {
    guard let bytes = try? SmallFiles.read(path + ".journal", limit: Self.journalLimit) else {
      return false
    }
    let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, String(decoding: lines[0], as: UTF8.self) == "pipit part 1 \(chunk)",
      String(decoding: lines[1], as: UTF8.self) == identity
    else { return false }
    let tag = String(decoding: lines[2], as: UTF8.self)
    self.tag = tag == "-" ? nil : tag
    headerLength = lines[3].startIndex
    var offset = headerLength
    // A line that was cut ends the list.
    while offset + Self.lineLength <= bytes.count {
      let text = String(decoding: bytes[offset..<(offset + Self.lineLength - 1)], as: UTF8.self)
      guard DigestValue.isSHA256(text) else { break }
      digests.append(text)
      offset += Self.lineLength
    }
    return true
  }

  private func writeJournal() throws(LibraryError) {
    var text = "pipit part 1 \(chunk)\n\(identity)\n\(tag ?? "-")\n"
    headerLength = text.utf8.count
    for digest in digests { text += digest + "\n" }
    try journal.truncate(to: 0)
    try write(text, at: 0)
  }

  private func trimJournal() throws(LibraryError) {
    try journal.truncate(to: headerLength + digests.count * Self.lineLength)
  }

  private func write(_ text: String, at offset: Int) throws(LibraryError) {
    try journal.write(Array(text.utf8)[...], at: offset)
  }

  /// Remembers the server's mark of the version.
  func note(tag new: String?) throws(LibraryError) {
    guard new != tag else { return }
    tag = new.flatMap { $0.contains("\n") ? nil : $0 }
    try writeJournal()
  }

  // MARK: Adding

  /// Adds bytes at the end.
  func append(_ bytes: ArraySlice<UInt8>) throws(LibraryError) {
    var rest = bytes
    while !rest.isEmpty {
      let piece = rest.prefix(chunk - position % chunk)
      try file.write(piece, at: position)
      current.update(piece)
      position += piece.count
      if position % chunk == 0 { try close(current.finish()) }
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Journals the last, short chunk: the file is whole.
  func seal() throws(LibraryError) {
    if position % chunk != 0, digests.count == position / chunk { try close(current.finish()) }
  }

  private func close(_ digest: String) throws(LibraryError) {
    try write(digest + "\n", at: headerLength + digests.count * Self.lineLength)
    digests.append(digest)
  }

  /// Lets go of everything from `offset` on.
  func rewind(to offset: Int) throws {
    let whole = offset / chunk
    digests = Array(digests.prefix(whole))
    try trimJournal()
    try file.truncate(to: offset)
    position = offset
    _ = current.finish()
    try file.forEachBlock(from: whole * chunk, to: offset) { current.update($0) }
  }

  /// Where the bytes from `offset` on first differ from those given; nil if nowhere.
  func firstDifference(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int? {
    var mine = [UInt8](repeating: 0, count: bytes.count)
    let count = try file.read(into: &mine, at: offset, upTo: mine.count)
    if count == bytes.count, mine[...] == bytes { return nil }
    return offset + zip(mine[..<count], bytes).prefix { $0 == $1 }.count
  }

  // MARK: Checking

  /// The bytes of a chunk.
  func range(of index: Int) -> Range<Int> {
    index * chunk..<min((index + 1) * chunk, position)
  }

  /// Puts other bytes in the place of a chunk.
  func replace(_ index: Int, with bytes: [UInt8], digest: String) throws(LibraryError) {
    try file.write(bytes[...], at: index * chunk)
    digests[index] = digest
    try write(digest + "\n", at: headerLength + index * Self.lineLength)
  }

  /// The chunks that are not on disk as they came; `whole` sees all bytes.
  func damagedChunks(
    whole: (ArraySlice<UInt8>) -> Void, progress: (Int) throws -> Void
  ) throws -> [Int] {
    var damaged: [Int] = []
    var digester = Digester()
    for index in digests.indices {
      let range = range(of: index)
      try file.forEachBlock(from: range.lowerBound, to: range.upperBound) { bytes in
        digester.update(bytes)
        whole(bytes)
        try progress(bytes.count)
      }
      if digester.finish() != digests[index] { damaged.append(index) }
    }
    return damaged
  }

  // MARK: Ending

  /// Gives the file its name: from now on it is what it is called.
  func commit(to final: String) throws(LibraryError) {
    try file.synchronise()
    try Folders.rename(path, to: final)
    try Folders.remove(path + ".journal")
    try Folders.synchronise(final.parentPath)
  }

  /// Removes it.
  func discard() {
    _ = unsafe unlink(path)
    _ = unsafe unlink(path + ".journal")
  }
}
