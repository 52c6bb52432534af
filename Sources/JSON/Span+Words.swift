// The strings of large files are mostly shorter than a word. A loop over the bytes of each ends where no
// processor foresees it, which takes longer than all the rest; so bytes are taken eight at a time.

extension Span<UInt8> {
  /// The `length` bytes from `start` on, 8 at most, the first the lowest; all above them are 0.
  @inlinable @inline(__always)
  package func word(at start: Int, _ length: Int) -> UInt64 {
    precondition(start >= 0 && (0...8).contains(length) && start <= count - length)
    guard start <= count - 8 else {
      // At the end of a text there are not as many to load.
      var word: UInt64 = 0
      for position in (start..<start + length).reversed() {
        word = word << 8 | UInt64(self[position])
      }
      return word
    }
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    return UInt64(littleEndian: word) & ~(UInt64.max << UInt64(8 * length))
  }
}

extension OutputSpan<UInt8> {
  /// Appends the `length` lowest bytes of a word, 8 at most, the lowest first.
  @inlinable @inline(__always)
  package mutating func append(_ word: UInt64, _ length: Int) {
    precondition((0...8).contains(length) && length <= freeCapacity)
    guard freeCapacity >= 8 else {
      for index in 0..<length { append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
      return
    }
    // What is written beyond the length is overwritten by what comes next.
    unsafe withUnsafeMutableBufferPointer { buffer, count in
      unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(
        of: word.littleEndian, toByteOffset: count, as: UInt64.self)
      count += length
    }
  }

  /// Appends a part of a text.
  @inlinable @inline(__always)
  package mutating func append(_ range: Range<Int>, of text: Span<UInt8>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let length = Swift.min(8, range.upperBound - start)
      append(text.word(at: start, length), length)
      start += length
    }
  }
}
