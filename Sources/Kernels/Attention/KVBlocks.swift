/// The keys and values of one layer, in blocks of 64 absolute positions.
///
/// Copies share blocks; a block is copied when one of them is about to write into it.
package struct KVBlocks: Sendable {
  package let keyValueHeads: Int
  package let headDimension: Int
  package let type: KVType
  /// Blocks in ascending order.
  package private(set) var blocks: [KVBlock] = []
  /// The number of the first block; those before it were dropped.
  package private(set) var firstBlock = 0

  package init(keyValueHeads: Int, headDimension: Int, type: KVType = .float16) {
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    self.type = type
  }

  /// Room for a context of some length, so that appending a block moves none.
  package mutating func reserve(positions: Int) {
    blocks.reserveCapacity((positions + KVBlock.positions - 1) / KVBlock.positions)
  }

  /// Positions that the blocks cover, written or not.
  package var positions: Range<Int> {
    firstBlock * KVBlock.positions..<(firstBlock + blocks.count) * KVBlock.positions
  }

  package var byteCount: Int { blocks.reduce(0) { $0 + $1.byteCount } }

  /// Makes the blocks of some positions exist and belong to this value alone.
  ///
  /// To be called before storing. The positions must not lie before the first block, and none of
  /// those between the last block and them may be missing.
  package mutating func prepareToWrite(_ positions: Range<Int>) {
    guard !positions.isEmpty else { return }
    let first = positions.lowerBound / KVBlock.positions - firstBlock
    let last = (positions.upperBound - 1) / KVBlock.positions - firstBlock
    precondition(first >= 0 && first <= blocks.count, "\(positions) after \(self.positions)")
    for index in first..<last + 1 {
      if index == blocks.count {
        blocks.append(
          KVBlock(keyValueHeads: keyValueHeads, headDimension: headDimension, type: type))
      } else if !isKnownUniquelyReferenced(&blocks[index]) {
        blocks[index] = blocks[index].copy()
      }
    }
  }

  /// Forgets every position from `end` on.
  package mutating func truncate(to end: Int) {
    let count = (end + KVBlock.positions - 1) / KVBlock.positions - firstBlock
    blocks.removeLast(blocks.count - min(max(count, 0), blocks.count))
  }

  /// Frees the blocks that end at or before a position: a window has passed them.
  package mutating func dropBlocks(before position: Int) {
    let count = min(max(position / KVBlock.positions - firstBlock, 0), blocks.count)
    blocks.removeFirst(count)
    firstBlock += count
  }
}
