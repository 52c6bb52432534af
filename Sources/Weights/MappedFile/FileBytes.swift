/// A range of a mapped file, which stays mapped as long as this lives.
///
/// Invariant: `base ..< base + count` lies inside the mapping of `file`. Every access is checked
/// against it; one outside traps, since callers check what comes from a file first.
@safe
package struct FileBytes: @unchecked Sendable {
  /// The file.
  package let file: MappedFile
  /// Where in the file the bytes start.
  package let offset: Int
  /// How many there are.
  package let count: Int
  private let base: UnsafeRawPointer

  init(file: MappedFile) {
    self.file = file
    offset = 0
    count = file.count
    unsafe base = file.start
  }

  private init(_ whole: FileBytes, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= whole.count)
    file = whole.file
    offset = whole.offset + range.lowerBound
    count = range.count
    unsafe base = whole.base + range.lowerBound
  }

  /// A part of these bytes.
  package subscript(range: Range<Int>) -> FileBytes { FileBytes(self, range) }

  /// One byte.
  @inline(__always)
  package subscript(index: Int) -> UInt8 { load(at: index) }

  /// A little-endian integer, at any alignment.
  @inline(__always)
  package func load<T: FixedWidthInteger & BitwiseCopyable>(
    _: T.Type = T.self, at offset: Int
  ) -> T {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<T>.size)
    return T(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Up to eight bytes as the low bytes of a word, zeros behind the end.
  @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    if offset >= 0, offset <= count &- 8 { return load(at: offset) }
    var word: UInt64 = 0
    for index in stride(from: count - 1, through: offset, by: -1) {
      word = word << 8 | UInt64(self[index])
    }
    return word
  }

  /// Copies `length` bytes from `start` to `target` at `targetOffset`.
  @inline(__always)
  package func copy(
    from start: Int, count length: Int, to target: inout MutableSpan<UInt8>,
    at targetOffset: Int = 0
  ) {
    precondition(start >= 0 && length >= 0 && start <= count - length)
    precondition(targetOffset >= 0 && targetOffset <= target.count - length)
    unsafe target.withUnsafeMutableBufferPointer { buffer in
      guard length > 0, let first = buffer.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(first + targetOffset).copyMemory(
        from: base + start, byteCount: length)
    }
  }

  /// Appends the bytes in `range` to `output`, which must have room for them.
  package func append(_ range: Range<Int>, to output: inout OutputSpan<UInt8>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    precondition(range.count <= output.freeCapacity)
    unsafe output.withUnsafeMutableBufferPointer { buffer, initializedCount in
      guard !range.isEmpty, let first = buffer.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(first + initializedCount).copyMemory(
        from: base + range.lowerBound, byteCount: range.count)
      initializedCount += range.count
    }
  }

  /// Calls `body` with the bytes.
  package func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe Span(_unsafeStart: base.assumingMemoryBound(to: UInt8.self), count: count))
  }

  /// A copy of the bytes.
  package var array: [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// A part of the bytes as text, or nil if it is not UTF-8.
  package func text(_ range: Range<Int>) -> String? {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let span = unsafe Span(
      _unsafeStart: base.assumingMemoryBound(to: UInt8.self) + range.lowerBound,
      count: range.count)
    // Twice as fast as String(validating:), and a vocabulary is 300,000 texts.
    guard let text = try? UTF8Span(validating: span) else { return nil }
    return String(copying: text)
  }

  /// The bytes as text, or nil if they are not UTF-8.
  package func text() -> String? { text(0..<count) }

  /// The bytes as text, with U+FFFD for what is not UTF-8.
  package func repairedText() -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
  }
}

extension FileBytes {
  /// Lets the kernel drop the pages of a part of these bytes.
  func release(_ range: Range<Int>) {
    file.adviseDontNeed(offset + range.lowerBound..<offset + range.upperBound)
  }
}
