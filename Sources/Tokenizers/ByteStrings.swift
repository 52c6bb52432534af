/// Many short byte strings in one block: 150,000 vocabulary pieces in two allocations instead of
/// 150,000 strings.
package struct ByteStrings: Sendable {
  /// Bytes that all strings together may have, far above any vocabulary.
  ///
  /// Offsets have 32 bits; whoever makes strings of a file's bytes checks their number first.
  package static let byteCountLimit = 1 << 30

  /// All the strings, one after another.
  package private(set) var bytes: [UInt8] = []
  /// Where each string starts in `bytes`, and one past the end of the last.
  private var starts: [UInt32] = [0]

  package init() {}

  /// Room for `count` strings of `byteCount` bytes in all.
  package init(count: Int, byteCount: Int) {
    starts.reserveCapacity(count + 1)
    bytes.reserveCapacity(byteCount)
  }

  /// `count` strings of at most `byteCount` bytes in all, which `append` is asked for one after
  /// another.
  package init<Failure: Error>(
    count: Int, byteCount: Int,
    _ append: (_ index: Int, _ bytes: inout OutputSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var starts: [UInt32] = []
    starts.reserveCapacity(count + 1)
    bytes = try [UInt8](capacity: byteCount) { bytes throws(Failure) in
      for index in 0..<count {
        starts.append(UInt32(bytes.count))
        try append(index, &bytes)
      }
      starts.append(UInt32(bytes.count))
    }
    self.starts = starts
  }

  /// As many strings of at most `byteCount` bytes in all as `append` appends, which says each time
  /// whether another one follows; about `count` of them.
  init(
    about count: Int, byteCount: Int,
    _ append: (_ bytes: inout OutputSpan<UInt8>) throws -> Bool
  ) throws {
    var starts: [UInt32] = []
    starts.reserveCapacity(count + 1)
    bytes = try [UInt8](capacity: byteCount) { bytes in
      repeat { starts.append(UInt32(bytes.count)) } while try append(&bytes)
      starts.append(UInt32(bytes.count))
    }
    self.starts = starts
  }

  package init(_ strings: some Sequence<String>) {
    for string in strings { append(string.utf8) }
  }

  package var count: Int { starts.count - 1 }

  package mutating func append(_ string: some Sequence<UInt8>) {
    bytes.append(contentsOf: string)
    starts.append(UInt32(bytes.count))
  }

  /// The positions in `bytes` of string `index`.
  package func range(_ index: Int) -> Range<Int> {
    Int(starts[index])..<Int(starts[index + 1])
  }

  package subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[range(index)]
  }

  /// The string at `index`, with U+FFFD for what is not UTF-8.
  package func text(_ index: Int) -> String {
    String(decoding: self[index], as: UTF8.self)
  }

  /// Bytes of the tables.
  var byteCount: Int { bytes.capacity + starts.capacity * MemoryLayout<UInt32>.stride }
}
