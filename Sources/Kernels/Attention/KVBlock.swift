/// Keys and values of one layer for 64 positions, in float32 or float16.
///
/// Per key-value head: the keys transposed, (headDimension, 64), so that a lane is a key; then the
/// values, (64, headDimension rounded up to 16). Written only through a unique reference.
@safe package final class KVBlock: @unchecked Sendable {
  package static let positions = 64

  package let keyValueHeads: Int
  package let headDimension: Int
  package let type: KVType
  private let bytes: Slab<UInt8>

  package init(keyValueHeads: Int, headDimension: Int, type: KVType = .float16) {
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    self.type = type
    bytes = Slab(
      count: Self.byteCount(
        keyValueHeads: keyValueHeads, headDimension: headDimension, type: type))
  }

  /// Bytes that a block takes.
  package static func byteCount(
    keyValueHeads: Int, headDimension: Int, type: KVType = .float16
  ) -> Int {
    keyValueHeads * headByteCount(headDimension, type)
  }

  static func headByteCount(_ headDimension: Int, _ type: KVType) -> Int {
    (headDimension + paddedDimension(headDimension)) * rowByteCount(type)
  }

  /// Bytes of 64 elements.
  static func rowByteCount(_ type: KVType) -> Int { positions * type.bits / 8 }

  static func paddedDimension(_ headDimension: Int) -> Int {
    (headDimension + 15) / 16 * 16
  }

  package var byteCount: Int { bytes.byteCount }

  /// A block of the same content that nobody shares.
  package func copy() -> KVBlock {
    let copy = KVBlock(
      keyValueHeads: keyValueHeads, headDimension: headDimension, type: type)
    unsafe copy.bytes.base.update(from: bytes.base, count: bytes.count)
    return copy
  }

  func keys(head: Int) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(bytes.base) + head * Self.headByteCount(headDimension, type)
  }

  func values(head: Int) -> UnsafeMutableRawPointer {
    unsafe keys(head: head) + headDimension * Self.rowByteCount(type)
  }

  /// Every element's bits, to save a block or to compare two.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try unsafe body(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
  }

  /// Every element's bits, to restore a block.
  package func withMutableBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try unsafe body(UnsafeMutableRawBufferPointer(start: bytes.base, count: bytes.count))
  }
}
