import Kernels

/// Reads a file of `ArchiveWriter`'s, whose checksum is right.
package struct ArchiveReader: ~Copyable {
  private let bytes: FileBytes
  private var offset: Int
  private let end: Int

  /// Opens a file and checks all of it.
  ///
  /// - Throws: `ArchiveError`, also for a file of another kind.
  package init(path: String, kind: StaticString) throws(ArchiveError) {
    let file: MappedFile
    do throws(WeightsError) {
      file = try MappedFile(path: path)
    } catch .system(_, _, let code) {
      throw .system(path: path, code: code)
    } catch {
      throw .foreign(path: path)
    }
    file.adviseWillNeed(0..<file.count)
    try self.init(file.bytes, kind: kind)
  }

  /// Reads what is part of a file, and checks all of it.
  ///
  /// - Throws: `ArchiveError`, also for something of another kind.
  package init(_ bytes: FileBytes, kind: StaticString) throws(ArchiveError) {
    let path = bytes.file.path
    let magic = Array("\(kind)".utf8)
    guard bytes.count >= magic.count, magic.indices.allSatisfy({ bytes[$0] == magic[$0] }) else {
      throw .foreign(path: path)
    }
    guard bytes.count >= magic.count + 8 else { throw .damaged(path: path) }
    let end = bytes.count - 8
    var checksum = Checksum()
    bytes[0..<end].withSpan { checksum.update($0) }
    guard checksum.value == bytes.load(UInt64.self, at: end) else { throw .damaged(path: path) }
    self.bytes = bytes
    self.end = end
    offset = magic.count
  }

  /// What is wrong when the file says something that cannot be, although its checksum is right.
  package var inconsistency: ArchiveError { .damaged(path: bytes.file.path) }

  package mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(
    _: Value.Type = Value.self
  ) throws(ArchiveError) -> Value {
    bytes.load(at: try take(MemoryLayout<Value>.size))
  }

  /// A number that must be at most `limit`.
  package mutating func readCount(atMost limit: Int) throws(ArchiveError) -> Int {
    let count = Int(try read(UInt32.self))
    guard count <= limit else { throw inconsistency }
    return count
  }

  package mutating func readText() throws(ArchiveError) -> String {
    let count = try readCount(atMost: end - offset)
    let start = try take(count)
    guard let text = bytes.text(start..<start + count) else { throw inconsistency }
    return text
  }

  /// Fills a span.
  package mutating func read(into target: inout MutableSpan<UInt8>) throws(ArchiveError) {
    let count = target.count
    bytes.copy(from: try take(count), count: count, to: &target)
  }

  /// Throws unless everything was read.
  package func finish() throws(ArchiveError) {
    guard offset == end else { throw inconsistency }
  }

  private mutating func take(_ count: Int) throws(ArchiveError) -> Int {
    guard count <= end - offset else { throw inconsistency }
    defer { offset += count }
    return offset
  }
}
