extension Compute {
  /// Stores keys and values, rounded to the cache's type, at consecutive absolute positions.
  ///
  /// With a quantised type, blocks that the queries of these positions read so are quantised.
  ///
  /// Both are tokens × (keyValueHeads · headDimension), the keys already rotated. The blocks must
  /// have been prepared for writing there.
  package func store(
    keys: FloatRows, values: FloatRows, at firstPosition: Int, in blocks: KVBlocks
  ) {
    check(keys, values, at: firstPosition, in: blocks)
    guard keys.rows > 0 else { return }
    let first = firstPosition / KVBlock.positions
    let last = (firstPosition + keys.rows - 1) / KVBlock.positions
    let work = StoreKeysAndValues(
      writer: BlockWriter(self, headDimension: blocks.headDimension, type: blocks.type),
      keys: keys, values: values, position: firstPosition, blocks: blocks, firstBlock: first)
    let items = (last - first + 1) * blocks.keyValueHeads
    if keys.rows * keys.columns < 16_384 {
      work.perform(0..<items, worker: 0)
    } else {
      pool.run(items, work)
    }
    quantise(blocks, readAt: firstPosition + keys.rows - 1)
  }

  private func check(
    _ keys: FloatRows, _ values: FloatRows, at firstPosition: Int, in blocks: KVBlocks
  ) {
    precondition(keys.rows == values.rows && keys.columns == values.columns)
    precondition(keys.columns == blocks.keyValueHeads * blocks.headDimension)
    precondition(
      keys.rows == 0
        || firstPosition >= blocks.firstBlock * KVBlock.positions
          && firstPosition + keys.rows <= blocks.positions.upperBound,
      "\(keys.rows) positions from \(firstPosition) in \(blocks.positions)")
  }

  /// Stores keys and values as `store` does, and attends as `attend` does from the same positions: tokens
  /// × (heads · headDimension) and twice tokens × (keyValueHeads · headDimension).
  ///
  /// Of a single token they are stored by the threads that attend, on their way.
  package func attend(
    _ queries: FloatRows, storing keys: FloatRows, _ values: FloatRows, at firstPosition: Int,
    in blocks: KVBlocks, shape: AttentionShape, scratch: AttentionScratch, into target: FloatRows
  ) {
    precondition(keys.rows == queries.rows)
    guard queries.rows == 1 else {
      store(keys: keys, values: values, at: firstPosition, in: blocks)
      return attend(
        queries, at: firstPosition, in: blocks, shape: shape, scratch: scratch, into: target)
    }
    check(keys, values, at: firstPosition, in: blocks)
    quantise(blocks, readAt: firstPosition)
    attend(
      queries, at: firstPosition, in: blocks, shape: shape, scratch: scratch, into: target,
      fresh: FreshPosition(self, keys: keys, values: values, blocks: blocks))
  }

  /// Causal attention of consecutive queries to the keys up to their own positions.
  ///
  /// The queries are tokens × (heads · headDimension), already rotated, and the first is at
  /// `firstPosition`; the target is shaped like them, and may be them.
  package func attend(
    _ queries: FloatRows, at firstPosition: Int, in blocks: KVBlocks, shape: AttentionShape,
    scratch: AttentionScratch, into target: FloatRows
  ) {
    attend(
      queries, at: firstPosition, in: blocks, shape: shape, scratch: scratch, into: target,
      fresh: nil)
  }

  private func attend(
    _ queries: FloatRows, at firstPosition: Int, in blocks: KVBlocks, shape: AttentionShape,
    scratch: AttentionScratch, into target: FloatRows, fresh: FreshPosition?
  ) {
    precondition(queries.columns == shape.heads * shape.headDimension)
    precondition(target.rows == queries.rows && target.columns == queries.columns)
    precondition(
      blocks.keyValueHeads == shape.keyValueHeads && blocks.headDimension == shape.headDimension)
    precondition(
      scratch.rows >= shape.headsPerKeyValueHead && scratch.threads >= pool.threads
        && scratch.headDimension >= shape.headDimension)
    guard queries.rows > 0 else { return }
    let attention = Attention(
      compute: self, queries: queries, position: firstPosition, shape: shape,
      type: blocks.type, scratch: scratch, target: target, fresh: fresh)
    attention.point(at: blocks)
    let tiles = attention.tileCount
    let products =
      queries.rows * shape.heads * shape.headDimension * attention.blockCount
      * KVBlock.positions
    if pool.threads == 1 || products < 131_072 {
      AttendTiles(attention: attention).perform(0..<tiles, worker: 0)
    } else if queries.rows > 1 && tiles >= 3 * pool.threads || attention.blockCount == 1 {
      pool.run(tiles, AttendTiles(attention: attention))
    } else {
      // The heads of a block lie together: memory is read in ascending order.
      attendByBlocks(attention)
    }
  }

  private func attendByBlocks(_ attention: Attention) {
    let tiles = attention.tileCount
    let most = attention.scratch.blocksAtOnce(rows: attention.mergedRows)
    let rounds = (attention.blockCount + most - 1) / most
    // A last round of a few blocks would keep a few threads busy.
    let blocks = (attention.blockCount + rounds - 1) / rounds
    var first = attention.firstBlock
    while first <= attention.lastBlock {
      let round = first..<min(first + blocks, attention.lastBlock + 1)
      pool.run(
        round.count * tiles, AttendBlocks(attention: attention, firstBlock: round.lowerBound))
      if attention.queries.rows * round.count * attention.queries.columns < 65_536 {
        let merge = MergeBlocks(attention: attention, blocks: round, threads: 1)
        merge.perform(0..<merge.items, worker: 0)
      } else {
        let merge = MergeBlocks(attention: attention, blocks: round, threads: pool.threads)
        pool.run(merge.items, merge)
      }
      first = round.upperBound
    }
  }
}

extension Attention {
  /// Notes where the blocks lie, so that no worker counts references.
  fileprivate func point(at blocks: KVBlocks) {
    precondition(unsafe blockCount <= scratch.blocks.count)
    let firstStored = blocks.type.isQuantised ? lastQuantised(position: position) + 1 : 0
    for block in max(firstBlock, firstStored)...lastBlock {
      unsafe scratch.blocks.base[block - firstBlock] = UnsafeRawPointer(
        blocks.stored(block).keys(head: 0))
    }
    let last = lastQuantised(position: position + queries.rows - 1)
    guard blocks.type.isQuantised, firstBlock <= last else { return }
    for block in firstBlock...last {
      unsafe scratch.quantisedBlocks.base[block - firstBlock] = UnsafeRawPointer(
        blocks.quantised(block).keys(head: 0))
    }
  }
}

/// Item = block × key-value heads + head: a cache line of keys is written by one thread.
private struct StoreKeysAndValues: ParallelWork {
  let writer: BlockWriter
  let keys: FloatRows
  let values: FloatRows
  let position: Int
  let blocks: KVBlocks
  let firstBlock: Int

  func perform(_ items: Range<Int>, worker: Int) {
    let dimension = blocks.headDimension
    for item in items {
      let number = firstBlock + item / blocks.keyValueHeads
      let head = item % blocks.keyValueHeads
      let block = unsafe blocks.stored(number).keys(head: 0)
      let start = number * KVBlock.positions
      let end = min(start + KVBlock.positions, position + keys.rows)
      for place in max(start, position)..<end {
        let row = place - position
        unsafe writer.store(
          key: keys.pointer(row: row) + head * dimension,
          value: values.pointer(row: row) + head * dimension, in: block, head: head,
          place: place - start)
      }
    }
  }
}
