/// The keys and values of one layer, in blocks of 64 absolute positions.
///
/// Copies share blocks; a block is copied when one of them is about to write into it.
///
/// With a quantised type, a query in block i reads the blocks up to i − 5 quantised and the later
/// ones in float16, whenever and beside whatever it is computed. A block is therefore written in
/// float16, quantised when a query is about to read it so, and its float16 form is freed once the
/// next token and those up to 64 positions before it need it no more. Until then it has both forms.
package struct KVBlocks: Sendable {
  /// How many blocks before its own, at least, a query reads quantised ones.
  package static let quantisedDistance = 5

  package let keyValueHeads: Int
  package let headDimension: Int
  package let type: KVType
  /// Blocks as they are stored, in ascending order.
  package private(set) var blocks: [KVBlock] = []
  /// The number of the first of them; those before it were dropped, or are quantised.
  package private(set) var firstBlock = 0
  /// Quantised blocks in ascending order; some may be of the same positions as `blocks`.
  package private(set) var quantisedBlocks: [KVBlock] = []
  /// The number of the first of them.
  package private(set) var firstQuantisedBlock = 0

  package init(keyValueHeads: Int, headDimension: Int, type: KVType = .float16) {
    self.keyValueHeads = keyValueHeads
    self.headDimension = headDimension
    self.type = type
  }

  /// Blocks that were saved, in ascending order from the numbers given on; each must be of this
  /// form, and the caller finds out by `canTruncate` whether a query can go on from them.
  package init(
    keyValueHeads: Int, headDimension: Int, type: KVType, blocks: [KVBlock], from firstBlock: Int,
    quantisedBlocks: [KVBlock], from firstQuantisedBlock: Int
  ) {
    self.init(keyValueHeads: keyValueHeads, headDimension: headDimension, type: type)
    self.blocks = blocks
    self.firstBlock = firstBlock
    self.quantisedBlocks = quantisedBlocks
    self.firstQuantisedBlock = firstQuantisedBlock
  }

  /// Room for a context of some length, so that appending a block moves none.
  package mutating func reserve(positions: Int) {
    let count = (positions + KVBlock.positions - 1) / KVBlock.positions
    if type.isQuantised {
      quantisedBlocks.reserveCapacity(count)
    } else {
      blocks.reserveCapacity(count)
    }
  }

  /// Positions that the blocks cover, written or not.
  package var positions: Range<Int> {
    let first = quantisedBlocks.isEmpty ? firstBlock : min(firstBlock, firstQuantisedBlock)
    return first * KVBlock.positions..<(firstBlock + blocks.count) * KVBlock.positions
  }

  /// Numbers of the blocks of either form.
  var storedNumbers: Range<Int> { firstBlock..<firstBlock + blocks.count }
  var quantisedNumbers: Range<Int> {
    firstQuantisedBlock..<firstQuantisedBlock + quantisedBlocks.count
  }

  /// The block of a number as it is stored, which must be there.
  func stored(_ number: Int) -> KVBlock {
    precondition(storedNumbers.contains(number), "block \(number) of \(storedNumbers)")
    return blocks[number - firstBlock]
  }

  /// The quantised block of a number, which must have been quantised.
  func quantised(_ number: Int) -> KVBlock {
    precondition(isQuantised(number), "block \(number) of \(quantisedNumbers) is not quantised")
    return quantisedBlocks[number - firstQuantisedBlock]
  }

  package var byteCount: Int {
    blocks.reduce(0) { $0 + $1.byteCount } + quantisedBlocks.reduce(0) { $0 + $1.byteCount }
  }

  /// Makes the blocks of some positions exist and belong to this value alone.
  ///
  /// To be called before storing. The positions must not lie before the first block, and none of
  /// those between the last block and them may be missing.
  package mutating func prepareToWrite(_ positions: Range<Int>) {
    guard !positions.isEmpty else { return }
    let first = positions.lowerBound / KVBlock.positions
    let last = (positions.upperBound - 1) / KVBlock.positions
    precondition(
      first >= firstBlock && first <= storedNumbers.upperBound,
      "\(positions) after \(self.positions)")
    for index in first - firstBlock..<last - firstBlock + 1 {
      if index == blocks.count {
        blocks.append(
          KVBlock(keyValueHeads: keyValueHeads, headDimension: headDimension, type: type.stored))
      } else if !isKnownUniquelyReferenced(&blocks[index]) {
        blocks[index] = blocks[index].copy()
      }
    }
    if type.isQuantised {
      freeStoredBlocks(before: positions.lowerBound)
      prepareToQuantise(upTo: last - Self.quantisedDistance)
    }
  }

  private mutating func prepareToQuantise(upTo last: Int) {
    if quantisedBlocks.isEmpty {
      firstQuantisedBlock = firstBlock
    }
    while quantisedNumbers.upperBound <= last {
      quantisedBlocks.append(
        KVBlock(keyValueHeads: keyValueHeads, headDimension: headDimension, type: type))
    }
  }

  /// Frees float16 forms that no query reads from 64 positions before `position` on.
  package mutating func freeStoredBlocks(before position: Int) {
    guard type.isQuantised else { return }
    let first = position / KVBlock.positions - Self.quantisedDistance
    var count = 0
    while firstBlock + count < first, count < blocks.count, isQuantised(firstBlock + count) {
      count += 1
    }
    blocks.removeFirst(count)
    firstBlock += count
  }

  func isQuantised(_ block: Int) -> Bool {
    quantisedNumbers.contains(block) && quantisedBlocks[block - firstQuantisedBlock].isQuantised
  }

  /// Whether every position up to `end` can be kept and reading go on from there.
  ///
  /// Not if the query at `end` would read in float16 what is there only quantised, or, with a
  /// window, what was dropped. Then a snapshot is needed, or all must be read anew: 0 is always
  /// possible, and so are the 64 positions before the one last prepared for writing.
  package func canTruncate(to end: Int, window: Int? = nil) -> Bool {
    guard end > 0 else { return true }
    guard end <= positions.upperBound else { return false }
    let count = (end + KVBlock.positions - 1) / KVBlock.positions
    let firstSeen = max(0, end + 1 - min(window ?? .max, end + 1)) / KVBlock.positions
    let firstStored =
      type.isQuantised
      ? max(firstSeen, end / KVBlock.positions - Self.quantisedDistance + 1) : firstSeen
    guard (firstStored..<max(count, firstStored)).allSatisfy(storedNumbers.contains) else {
      return false
    }
    guard type.isQuantised else { return true }
    // Blocks are quantised in ascending order; what was restored might hold others.
    var hasUnquantised = false
    for number in firstSeen..<max(firstSeen, firstStored, quantisedNumbers.upperBound) {
      if isQuantised(number) {
        if hasUnquantised { return false }
      } else {
        hasUnquantised = true
        let willBe = quantisedBlocks.isEmpty || number >= firstQuantisedBlock
        guard willBe && storedNumbers.contains(number) else { return false }
      }
    }
    return true
  }

  /// Forgets every position from `end` on, which must be possible: see `canTruncate`.
  package mutating func truncate(to end: Int) {
    let end = max(end, 0)
    precondition(
      end == 0 || end / KVBlock.positions >= firstBlock || blocks.isEmpty,
      "\(end) is before the stored blocks from \(firstBlock) on")
    let count = (end + KVBlock.positions - 1) / KVBlock.positions - firstBlock
    blocks.removeLast(blocks.count - min(max(count, 0), blocks.count))
    // An incomplete block will be written again.
    let complete = end / KVBlock.positions - firstQuantisedBlock
    quantisedBlocks.removeLast(
      quantisedBlocks.count - min(max(complete, 0), quantisedBlocks.count))
    if blocks.isEmpty && quantisedBlocks.isEmpty {
      firstBlock = min(firstBlock, end / KVBlock.positions)
    }
  }

  /// Frees the blocks that end at or before a position: a window has passed them.
  package mutating func dropBlocks(before position: Int) {
    let first = position / KVBlock.positions
    let count = min(max(first - firstBlock, 0), blocks.count)
    blocks.removeFirst(count)
    firstBlock += count
    let quantisedCount = min(max(first - firstQuantisedBlock, 0), quantisedBlocks.count)
    quantisedBlocks.removeFirst(quantisedCount)
    firstQuantisedBlock += quantisedCount
  }
}
