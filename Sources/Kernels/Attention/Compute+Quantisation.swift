import KernelTypes

extension Compute {
  /// Quantises the blocks that the query at a position reads so and that are not yet.
  func quantise(_ blocks: KVBlocks, readAt position: Int) {
    let numbers = blocks.quantisedNumbers
    let last = position / KVBlock.positions - KVBlocks.quantisedDistance
    let end = min(numbers.upperBound, last + 1)
    // Blocks are quantised in ascending order.
    var first = end
    while first > numbers.lowerBound, !blocks.isQuantised(first - 1) {
      first -= 1
    }
    guard first < end else { return }
    let work = QuantiseBlocks(compute: self, blocks: blocks, firstBlock: first)
    pool.run((end - first) * blocks.keyValueHeads, work)
    for number in first..<end {
      blocks.quantisedBlocks[number - blocks.firstQuantisedBlock].isQuantised = true
    }
  }
}

/// Item = block × key-value heads + head.
private struct QuantiseBlocks: ParallelWork {
  let compute: Compute
  let blocks: KVBlocks
  let firstBlock: Int

  func perform(_ items: Range<Int>, worker: Int) {
    let dimension = blocks.headDimension
    let room = 2 * max(KVBlock.positions, KVBlock.paddedDimension(dimension) + 48)
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: room) { scratch in
      guard let scratch = scratch.baseAddress else { return }
      for item in items {
        let number = firstBlock + item / blocks.keyValueHeads
        let head = item % blocks.keyValueHeads
        let source = blocks.stored(number)
        let target = blocks.quantisedBlocks[number - blocks.firstQuantisedBlock]
        unsafe compute.kernels.vector.quantiseBlock(
          source.keys(head: head), source.values(head: head), dimension,
          blocks.type.keyBits, blocks.type.valueBits, target.keys(head: head), scratch)
      }
    }
  }
}
