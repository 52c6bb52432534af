/// Many short byte strings in one block: 150,000 vocabulary pieces in two allocations instead of
/// 150,000 strings.
package struct ByteStrings: Sendable {
  /// All the strings, one after another.
  package private(set) var bytes: [UInt8] = []
  /// Where each string starts in `bytes`, and one past the end of the last.
  package private(set) var starts: [Int] = [0]

  package init() {}

  /// Room for `count` strings of `byteCount` bytes in all.
  package init(count: Int, byteCount: Int) {
    starts.reserveCapacity(count + 1)
    bytes.reserveCapacity(byteCount)
  }

  package init(_ strings: some Sequence<String>) {
    for string in strings { append(string.utf8) }
  }

  package var count: Int { starts.count - 1 }

  package mutating func append(_ string: some Sequence<UInt8>) {
    bytes.append(contentsOf: string)
    starts.append(bytes.count)
  }

  /// Appends a string without going through a sequence, for the many of a file.
  package mutating func append(copying string: Span<UInt8>) {
    for position in 0..<string.count { bytes.append(string[position]) }
    starts.append(bytes.count)
  }

  /// Appends one byte to a string that `finish()` ends.
  mutating func extend(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Appends bytes to a string that `finish()` ends.
  mutating func extend(_ part: ArraySlice<UInt8>) {
    bytes.append(contentsOf: part)
  }

  /// Takes back what `extend` has added since the last string.
  mutating func restart() {
    bytes.removeLast(bytes.count - (starts.last ?? 0))
  }

  /// Ends the string that `extend` has been building.
  mutating func finish() {
    starts.append(bytes.count)
  }

  /// The positions in `bytes` of string `index`.
  package func range(_ index: Int) -> Range<Int> {
    starts[index]..<starts[index + 1]
  }

  package subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[range(index)]
  }

  /// The string at `index`, with U+FFFD for what is not UTF-8.
  package func text(_ index: Int) -> String {
    String(decoding: self[index], as: UTF8.self)
  }
}
