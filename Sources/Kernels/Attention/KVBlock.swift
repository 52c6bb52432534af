/// Keys and values of one layer for 64 positions.
///
/// Per key-value head: the keys transposed, (headDimension, 64), so that a lane is a key; then the
/// values, (64, headDimension rounded up to 16); what quantised ones consist of is written at
/// `QuantisedLayout`. Written only through a unique reference; quantised once, and never changed.
@safe package final class KVBlock: @unchecked Sendable {
  package static let positions = 64

  package let keyValueHeads: Int
  package let headDimension: Int
  package let type: KVType
  /// Whether a quantised block holds its numbers already.
  package internal(set) var isQuantised = false
  let layout: KVLayout
  private let bytes: Slab<UInt8>

  package init(keyValueHeads: Int, headDimension: Int, type: KVType = .float16) {
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    self.type = type
    layout = KVLayout(headDimension: headDimension, type: type)
    bytes = Slab(
      count: Self.byteCount(
        keyValueHeads: keyValueHeads, headDimension: headDimension, type: type))
  }

  /// Bytes that a block takes in that form.
  package static func byteCount(
    keyValueHeads: Int, headDimension: Int, type: KVType = .float16
  ) -> Int {
    keyValueHeads * KVLayout(headDimension: headDimension, type: type).headByteCount
  }

  static func paddedDimension(_ headDimension: Int) -> Int {
    (headDimension + 15) / 16 * 16
  }

  package var byteCount: Int { bytes.byteCount }

  /// A block of the same content that nobody shares.
  package func copy() -> KVBlock {
    let copy = KVBlock(
      keyValueHeads: keyValueHeads, headDimension: headDimension, type: type)
    unsafe copy.bytes.base.update(from: bytes.base, count: bytes.count)
    copy.isQuantised = isQuantised
    return copy
  }

  func keys(head: Int) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(bytes.base) + head * layout.headByteCount
  }

  func values(head: Int) -> UnsafeMutableRawPointer {
    unsafe keys(head: head) + layout.values
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
