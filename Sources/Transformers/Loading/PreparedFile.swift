import Kernels
import Weights

/// A model's weights as the kernels take them, in a file of our own that is mapped.
///
/// The tiles of all matrices one after another; then, as `ArchiveWriter` writes it, what they are of,
/// where that was and the checksum of each block; then the length of that in eight bytes. The same on every instruction
/// set. Whoever reads it knows from the model's own files which matrices there must be, so nothing in
/// it says how much to allocate or where to look.
package struct PreparedFile: Sendable {
  static let kind: StaticString = "pipit prepared\n"

  private let tiles: MappedTiles
  private let checksums: [UInt64]
  private let path: String

  /// Opens a file and checks that it is of a model with this key, but not yet that its tiles are whole.
  ///
  /// - Throws: `ArchiveError`, whose `isMissing` tells that there is no such file.
  init(path: String, key: String, byteCount: Int) throws(ArchiveError) {
    let file = try Self.map(path)
    var footer = try Self.footer(file, after: byteCount)
    guard try footer.readText() == key else { throw .foreign(path: path) }
    _ = try footer.readText()
    let count = try footer.readCount(atMost: byteCount / TileStream.blockByteCount + 1)
    var checksums: [UInt64] = []
    for _ in 0..<count { checksums.append(try footer.read()) }
    try footer.finish()
    guard let tiles = MappedTiles(file: file.descriptor, byteCount: byteCount) else {
      throw .damaged(path: path)
    }
    self.path = path
    self.tiles = tiles
    self.checksums = checksums
  }

  /// The path that the model had whose weights are in a file.
  ///
  /// - Throws: `ArchiveError`.
  package static func modelPath(of path: String) throws -> String {
    var footer = try footer(map(path), after: nil)
    _ = try footer.readText()
    return try footer.readText()
  }

  private static func map(_ path: String) throws(ArchiveError) -> MappedFile {
    do throws(WeightsError) {
      return try MappedFile(path: path)
    } catch .system(_, _, let code) {
      throw .system(path: path, code: code)
    } catch {
      throw .foreign(path: path)
    }
  }

  /// What comes after so many bytes of tiles, or after however many there are.
  private static func footer(
    _ file: MappedFile, after tiles: Int?
  ) throws(ArchiveError) -> ArchiveReader {
    let bytes = file.bytes
    let end = bytes.count - 8
    guard end > 0 else { throw .damaged(path: file.path) }
    let length = bytes.load(UInt64.self, at: end)
    guard length < UInt64(end), tiles == nil || tiles == end - Int(length) else {
      throw .damaged(path: file.path)
    }
    return try ArchiveReader(bytes[end - Int(length)..<end], kind: kind)
  }

  /// Bytes of it that are in memory already.
  package var residentByteCount: Int { tiles.residentByteCount }

  /// The tiles, once all of them have been read and found right.
  ///
  /// - Throws: `ArchiveError.damaged`.
  func checkedTiles(compute: Compute) throws(ArchiveError) -> MappedTiles {
    guard tiles.checksums(compute: compute) == checksums else { throw .damaged(path: path) }
    return tiles
  }
}

/// Writes a file that `PreparedFile` reads; it is not there before `commit`.
final class PreparedFileWriter: TileSink {
  private let file: NewFile
  private let byteCount: Int

  /// - Throws: `ArchiveError`, also where the disk has no room for `byteCount` bytes of tiles.
  init(path: String, byteCount: Int) throws(ArchiveError) {
    file = try NewFile(path: path)
    self.byteCount = byteCount
    try file.reserve(byteCount)
  }

  func write(_ block: Span<UInt8>, at offset: Int) throws {
    try file.write(block, at: offset)
  }

  /// Puts the file in its place and maps the tiles.
  ///
  /// It need not survive the machine's stopping: what does not is found out by its checksums.
  func commit(
    key: String, modelPath: String, checksums: [UInt64]
  ) throws(ArchiveError) -> MappedTiles {
    try file.seek(to: byteCount)
    let footer = ArchiveWriter(continuing: file, kind: PreparedFile.kind)
    try footer.write(key)
    try footer.write(modelPath)
    try footer.write(UInt32(checksums.count))
    for checksum in checksums { try footer.write(checksum) }
    let length = try footer.finish()
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    try file.write(bytes.span, at: byteCount + length)
    guard let tiles = MappedTiles(file: file.descriptor, byteCount: byteCount) else {
      throw .damaged(path: file.path)
    }
    try file.commit(isDurable: false)
    tiles.populate()
    return tiles
  }
}
