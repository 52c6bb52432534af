import Kernels

/// Writes a file that `ArchiveReader` reads.
///
/// A kind, then numbers, texts and bytes, then a checksum of it all; numbers are little-endian.
package final class ArchiveWriter {
  private let file: NewFile
  private var checksum = Checksum()
  /// Bytes written.
  private var byteCount = 0
  /// Small things not yet written.
  private var pending: [UInt8] = []

  /// Begins a file at `path`; it is not there before `commit()`.
  package convenience init(path: String, kind: StaticString) throws(ArchiveError) {
    self.init(continuing: try NewFile(path: path), kind: kind)
  }

  /// Goes on with a file in which something else comes first.
  package init(continuing file: NewFile, kind: StaticString) {
    self.file = file
    pending = Array("\(kind)".utf8)
  }

  package func write(_ value: some FixedWidthInteger) throws(ArchiveError) {
    for byte in 0..<value.bitWidth / 8 {
      pending.append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
    if pending.count > 1 << 16 { try flush() }
  }

  package func write(_ text: String) throws(ArchiveError) {
    let bytes = Array(text.utf8)
    try write(UInt32(clamping: bytes.count))
    pending += bytes
  }

  package func write(_ bytes: Span<UInt8>) throws(ArchiveError) {
    try flush()
    checksum.update(bytes)
    byteCount += bytes.count
    try file.write(bytes)
  }

  /// Puts the file in its place.
  package func commit() throws(ArchiveError) {
    _ = try finish()
    try file.commit()
  }

  /// Writes the checksum, and returns how many bytes there are in all, this one's among them.
  package func finish() throws(ArchiveError) -> Int {
    try flush()
    try write(checksum.value)
    try flush()
    return byteCount
  }

  private func flush() throws(ArchiveError) {
    let bytes = pending
    pending = []
    checksum.update(bytes.span)
    byteCount += bytes.count
    try file.write(bytes.span)
  }
}
