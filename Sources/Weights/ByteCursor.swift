/// Reads a file's header from front to back; every read is checked against what is left.
struct ByteCursor {
  let bytes: FileBytes
  private(set) var offset: Int
  /// What is being read, for messages.
  var part: String

  init(_ bytes: FileBytes, at offset: Int = 0, part: String) {
    self.bytes = bytes
    self.offset = offset
    self.part = part
  }

  /// Bytes not yet read.
  var remaining: Int { bytes.count - offset }

  /// A little-endian integer.
  mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
    _: T.Type = T.self
  ) throws(FileProblem) -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw truncated(UInt64(size)) }
    defer { offset += size }
    return bytes.load(at: offset)
  }

  /// The range of the next `count` bytes.
  mutating func take(_ count: UInt64) throws(FileProblem) -> Range<Int> {
    guard let length = Int(exactly: count), length <= remaining else { throw truncated(count) }
    defer { offset += length }
    return offset..<offset + length
  }

  /// The range of the next `count` elements of `size` bytes.
  mutating func take(_ count: UInt64, of size: Int) throws(FileProblem) -> Range<Int> {
    let (length, overflow) = count.multipliedReportingOverflow(by: UInt64(size))
    return try take(overflow ? .max : length)
  }

  /// The text behind a 64-bit length.
  mutating func takeString() throws(FileProblem) -> Range<Int> {
    try take(read(UInt64.self))
  }

  /// A name behind a 64-bit length.
  mutating func readName(_ kind: NameKind) throws(FileProblem) -> String {
    let start = offset
    let range = try takeString()
    guard (1...65535).contains(range.count), let name = bytes[range].text() else {
      throw .badName(kind: kind, offset: start, length: UInt64(range.count))
    }
    return name
  }

  /// Checks a count against the fewest bytes that one element takes.
  func check(_ count: UInt64, of what: String, minimumSize: Int) throws(FileProblem) -> Int {
    let most = remaining / minimumSize
    guard let checked = Int(exactly: count), checked <= most else {
      throw .count(of: what, claimed: count, most: most)
    }
    return checked
  }

  private func truncated(_ needed: UInt64) -> FileProblem {
    .truncated(part: part, offset: offset, needed: needed, available: remaining)
  }
}
