import Glibc
import JSON

/// A tensor of a safetensors file that is yet to be written.
package struct SafetensorsEntry: Sendable, Hashable {
  package let name: String
  package let type: SafetensorsType
  /// Sizes, outermost first.
  package let shape: [Int]

  package init(name: String, type: SafetensorsType, shape: [Int]) {
    self.name = name
    self.type = type
    self.shape = shape
  }

  /// Bytes of its elements.
  package var byteCount: Int { shape.reduce(type.byteCount, *) }
}

/// Writes a safetensors file whose header is known before any of its data.
///
/// Tensors lie in the order they are given in, each starting where the one before ends, and may be
/// written in any order and in parts. The room on the disk is taken at once, so that a full disk is
/// noticed before hours of work. Only the owner may read the file.
package final class SafetensorsWriter {
  private let path: String
  private let descriptor: Int32
  private var starts: [String: Int] = [:]
  /// Bytes of the whole file.
  package let byteCount: Int

  /// Makes the file and writes its header.
  ///
  /// - Throws: ``ArchiveError``.
  package init(
    path: String, entries: [SafetensorsEntry], metadata: [(String, String)]
  ) throws(ArchiveError) {
    self.path = path
    let header = Self.header(entries, metadata)
    byteCount = header.count + entries.reduce(0) { $0 + $1.byteCount }
    descriptor = unsafe open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    var start = header.count
    for entry in entries {
      starts[entry.name] = start
      start += entry.byteCount
    }
    // Where a file system cannot take room in advance the writes themselves will tell.
    let code = posix_fallocate(descriptor, 0, off_t(byteCount))
    if code != 0, code != EOPNOTSUPP, code != EINVAL { throw .system(path: path, code: code) }
    try write(header.span, at: 0)
  }

  deinit { close(descriptor) }

  /// Bytes of the file's header: its length and the text.
  package static func headerByteCount(
    _ entries: [SafetensorsEntry], metadata: [(String, String)]
  ) -> Int {
    header(entries, metadata).count
  }

  /// Writes a part of a tensor, `offset` bytes from its beginning.
  package func write(
    _ bytes: Span<UInt8>, to name: String, at offset: Int
  ) throws(ArchiveError) {
    guard let start = starts[name] else { preconditionFailure("no entry is called \(name)") }
    try write(bytes, at: start + offset)
  }

  /// Makes what was written last, so that the file may be given its name.
  package func finish() throws(ArchiveError) {
    guard fsync(descriptor) == 0 else { throw .system(path: path, code: errno) }
  }

  private func write(_ bytes: Span<UInt8>, at position: Int) throws(ArchiveError) {
    let code = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
      var offset = 0
      while offset < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let written = unsafe pwrite(
          descriptor, rest.baseAddress, rest.count, off_t(position + offset))
        if written > 0 {
          offset += written
        } else if written == 0 {
          return ENOSPC
        } else if errno
          != EINTR
        {
          return errno
        }
      }
      return 0
    }
    if code != 0 { throw .system(path: path, code: code) }
  }

  /// The length of the header's text, and the text with spaces up to a multiple of eight, which
  /// aligns the data.
  private static func header(
    _ entries: [SafetensorsEntry], _ metadata: [(String, String)]
  ) -> [UInt8] {
    var start = 0
    var members: [(String, JSONValue)] = []
    if !metadata.isEmpty {
      members.append(("__metadata__", .members(metadata.map { ($0, .string($1)) })))
    }
    for entry in entries {
      let end = start + entry.byteCount
      members.append(
        (
          entry.name,
          [
            "dtype": .string(entry.type.rawValue),
            "shape": .array(entry.shape.map { .integer($0) }),
            "data_offsets": [.integer(start), .integer(end)],
          ]
        ))
      start = end
    }
    var text = Array(JSONValue.members(members).text.utf8)
    text += Array(repeating: 0x20, count: (8 - text.count % 8) % 8)
    return (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
  }
}
