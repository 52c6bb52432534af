/// Keys and values of one layer for 64 positions, in float16.
///
/// Per key-value head: the keys transposed, (headDimension, 64), so that a lane is a key; then the
/// values, (64, headDimension rounded up to 16). Written only through a unique reference.
@safe package final class KVBlock: @unchecked Sendable {
  package static let positions = 64

  package let keyValueHeads: Int
  package let headDimension: Int
  private let elements: Slab<UInt16>

  package init(keyValueHeads: Int, headDimension: Int) {
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    elements = Slab(
      count: Self.elementCount(keyValueHeads: keyValueHeads, headDimension: headDimension))
  }

  /// Bytes that a block takes.
  package static func byteCount(keyValueHeads: Int, headDimension: Int) -> Int {
    elementCount(keyValueHeads: keyValueHeads, headDimension: headDimension)
      * MemoryLayout<UInt16>.size
  }

  private static func elementCount(keyValueHeads: Int, headDimension: Int) -> Int {
    keyValueHeads * positions * (headDimension + paddedDimension(headDimension))
  }

  static func paddedDimension(_ headDimension: Int) -> Int {
    (headDimension + 15) / 16 * 16
  }

  package var byteCount: Int { elements.byteCount }

  /// A block of the same content that nobody shares.
  package func copy() -> KVBlock {
    let copy = KVBlock(keyValueHeads: keyValueHeads, headDimension: headDimension)
    unsafe copy.elements.base.update(from: elements.base, count: elements.count)
    return copy
  }

  func keys(head: Int) -> UnsafeMutablePointer<UInt16> {
    unsafe elements.base + head
      * Self.elementCount(
        keyValueHeads: 1, headDimension: headDimension)
  }

  func values(head: Int) -> UnsafeMutablePointer<UInt16> {
    unsafe keys(head: head) + headDimension * Self.positions
  }

  /// Every element's bits, to save a block or to compare two.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try unsafe body(
      UnsafeRawBufferPointer(start: elements.base, count: elements.byteCount))
  }

  /// Every element's bits, to restore a block.
  package func withMutableBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try unsafe body(
      UnsafeMutableRawBufferPointer(start: elements.base, count: elements.byteCount))
  }
}
