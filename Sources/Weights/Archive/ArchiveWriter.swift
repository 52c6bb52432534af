import Kernels

/// Writes a file that `ArchiveReader` reads.
///
/// A kind, then numbers, texts and bytes, then a checksum of it all; numbers are little-endian.
package final class ArchiveWriter {
  private let file: NewFile
  private var checksum = Checksum()
  /// Small things not yet written.
  private var pending: [UInt8] = []

  /// Begins a file at `path`; it is not there before `commit()`.
  package init(path: String, kind: StaticString) throws(ArchiveError) {
    file = try NewFile(path: path)
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
    try file.write(bytes)
  }

  /// Puts the file in its place.
  package func commit() throws(ArchiveError) {
    try flush()
    try write(checksum.value)
    try flush()
    try file.commit()
  }

  private func flush() throws(ArchiveError) {
    let bytes = pending
    pending = []
    checksum.update(bytes.span)
    try file.write(bytes.span)
  }
}
