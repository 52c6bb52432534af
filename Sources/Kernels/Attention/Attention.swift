import KernelTypes

/// One call of attention: which tiles there are and how each is computed.
///
/// A tile is some consecutive tokens and the query heads of one key-value head, and is computed by
/// one worker, block after block. When that gives too little to share out, and for a single token, the
/// blocks are shared out instead and merged afterwards, in the same order by the same formula: the bits
/// are the same.
@safe struct Attention {
  let compute: Compute
  let queries: FloatRows
  let target: FloatRows
  let position: Int
  let shape: AttentionShape
  let scratch: AttentionScratch
  /// The first block that the first token sees, and the last one that the last token sees.
  let firstBlock: Int
  let lastBlock: Int
  /// A power of two: tiles begin at multiples of it, so that the tokens of one are in one block.
  let tokensPerTile: Int
  /// How the blocks are read that are stored, and that are quantised.
  let stored: BlockReader
  let quantised: BlockReader?
  /// What has to be stored before its block is read; nil if everything has been.
  let fresh: FreshPosition?

  init(
    compute: Compute, queries: FloatRows, position: Int, shape: AttentionShape,
    type: KVType, scratch: AttentionScratch, target: FloatRows, fresh: FreshPosition?
  ) {
    self.compute = compute
    self.queries = queries
    self.target = target
    self.position = position
    self.shape = shape
    self.scratch = scratch
    firstBlock = Self.firstBlock(position, shape)
    lastBlock = (position + queries.rows - 1) / KVBlock.positions
    let most = max(1, scratch.rows / shape.headsPerKeyValueHead)
    let largest = min(KVBlock.positions, 1 << (Int.bitWidth - 1 - most.leadingZeroBitCount))
    tokensPerTile = Self.tokensPerTile(
      largest, tokens: queries.rows, heads: shape.keyValueHeads, threads: compute.pool.threads)
    stored = BlockReader(compute, shape, type.stored)
    self.fresh = fresh
    quantised = type.isQuantised ? BlockReader(compute, shape, type) : nil
  }

  /// Fewer than the most where that leaves too few tiles to share out: they differ in what they see.
  private static func tokensPerTile(
    _ most: Int, tokens: Int, heads: Int, threads: Int
  ) -> Int {
    var size = most
    while size > 16 && tokens / size * heads < 8 * threads { size /= 2 }
    return size
  }

  /// The first block in which the query at a position sees a key.
  private static func firstBlock(_ position: Int, _ shape: AttentionShape) -> Int {
    max(0, position + 1 - min(shape.window ?? .max, position + 1)) / KVBlock.positions
  }

  var tileCount: Int { positionTiles * shape.keyValueHeads }

  /// Tiles of one head.
  private var positionTiles: Int {
    (position + queries.rows - 1) / tokensPerTile - position / tokensPerTile + 1
  }

  var blockCount: Int { lastBlock - firstBlock + 1 }

  /// Tokens of a tile; the last tiles, which see the most keys, come first.
  func tokens(tile: Int) -> Range<Int> {
    let index = positionTiles - 1 - tile / shape.keyValueHeads
    let start = (position / tokensPerTile + index) * tokensPerTile - position
    return max(start, 0)..<min(start + tokensPerTile, queries.rows)
  }

  func head(tile: Int) -> Int { tile % shape.keyValueHeads }

  /// Blocks in which some token of a tile sees a key.
  func blocks(tile: Int) -> ClosedRange<Int> {
    let tokens = tokens(tile: tile)
    let last = (position + tokens.upperBound - 1) / KVBlock.positions
    return Self.firstBlock(position + tokens.lowerBound, shape)...last
  }

  func arguments(
    tile: Int, worker: Int, result: AttentionSums, totals: AttentionSums?
  ) -> AttentionTile {
    let tokens = tokens(tile: tile)
    let firstColumn = head(tile: tile) * shape.headsPerKeyValueHead * shape.headDimension
    return unsafe AttentionTile(
      queries: queries.pointer(row: tokens.lowerBound) + firstColumn,
      queryStride: queries.stride, tokens: tokens.count,
      headsPerToken: shape.headsPerKeyValueHead, headDimension: shape.headDimension,
      scale: shape.scale, position: position + tokens.lowerBound,
      window: min(shape.window ?? .max, .max / 2), weights: scratch.weights(worker: worker),
      folded: scratch.folded(worker: worker), widened: scratch.widened(worker: worker),
      block: result, totals: totals)
  }

  /// (m, l, o) of every row of a tile for one block, merged into the tile's totals if it has any.
  func compute(_ tile: inout AttentionTile, head: Int, block: Int) {
    let start = block * KVBlock.positions
    if let quantised, block <= lastQuantised(position: tile.position) {
      unsafe quantised.attend(
        &tile, scratch.quantisedBlocks.base[block - firstBlock], head: head, start: start)
    } else {
      let bytes = unsafe scratch.blocks.base[block - firstBlock]
      if let fresh, block == lastBlock {
        unsafe fresh.store(head: head, in: bytes, place: position - start)
      }
      unsafe stored.attend(&tile, bytes, head: head, start: start)
    }
  }

  /// The last block that the query at a position reads quantised, if any are.
  func lastQuantised(position: Int) -> Int {
    position / KVBlock.positions - KVBlocks.quantisedDistance
  }

  /// Rows of the largest tile.
  var mostRows: Int { min(tokensPerTile, queries.rows) * shape.headsPerKeyValueHead }

  /// Rows that are merged together when it is the blocks that are shared out: as many for every tile.
  var mergedRows: Int { tileCount * mostRows }

  func rows(tile: Int) -> Int { tokens(tile: tile).count * shape.headsPerKeyValueHead }

  /// Starts the totals of so many rows with nothing visible.
  func begin(_ totals: AttentionSums, rows: Int) {
    for row in 0..<rows {
      unsafe totals.sums[row] = 0
    }
  }

  /// Divides the totals of a tile's row by their sum into the target.
  func finish(_ totals: AttentionSums, row: Int, of tile: Int) {
    let padded = KVBlock.paddedDimension(shape.headDimension)
    let group = shape.headsPerKeyValueHead
    let head = head(tile: tile) * group + row % group
    unsafe compute.kernels.vector.finishAttention(
      totals.outputs + row * padded, totals.sums[row],
      target.pointer(row: tokens(tile: tile).lowerBound + row / group) + head * shape.headDimension,
      shape.headDimension)
  }
}

/// Whole tiles, shared out.
@safe struct AttendTiles: ParallelWork {
  let attention: Attention

  func perform(_ items: Range<Int>, worker: Int) {
    let result = attention.scratch.blockResult(worker: worker).pointers()
    let totals = attention.scratch.total(worker: worker).pointers()
    for tile in items {
      let rows = attention.rows(tile: tile)
      var arguments = attention.arguments(
        tile: tile, worker: worker, result: result, totals: totals)
      attention.begin(totals, rows: rows)
      for block in attention.blocks(tile: tile) {
        attention.compute(&arguments, head: attention.head(tile: tile), block: block)
      }
      for row in 0..<rows {
        attention.finish(totals, row: row, of: tile)
      }
    }
  }
}

/// The blocks of one round, shared out: item = block of the round × tiles + tile.
@safe struct AttendBlocks: ParallelWork {
  let attention: Attention
  let firstBlock: Int

  func perform(_ items: Range<Int>, worker: Int) {
    let most = attention.mostRows
    let padded = KVBlock.paddedDimension(attention.shape.headDimension)
    for item in items {
      let (block, tile) = item.quotientAndRemainder(dividingBy: attention.tileCount)
      let result = attention.scratch.partial(block, rows: attention.mergedRows)
        .pointers(row: tile * most, paddedDimension: padded)
      var arguments = attention.arguments(
        tile: tile, worker: worker, result: result, totals: nil)
      attention.compute(
        &arguments, head: attention.head(tile: tile), block: firstBlock + block)
      // A shorter tile's other rows have seen nothing.
      for row in attention.rows(tile: tile)..<most {
        unsafe result.sums[row] = 0
      }
    }
  }
}

/// The partial results of one round, merged in ascending order, some rows of all tiles at a time.
@safe struct MergeBlocks: ParallelWork {
  let attention: Attention
  let blocks: Range<Int>
  let rowsAtOnce: Int

  /// As many rows at once as their kernel takes, or as leave something to every thread.
  init(attention: Attention, blocks: Range<Int>, threads: Int) {
    self.attention = attention
    self.blocks = blocks
    rowsAtOnce = min(16, (attention.mergedRows + threads - 1) / threads)
  }

  var items: Int { (attention.mergedRows + rowsAtOnce - 1) / rowsAtOnce }

  func perform(_ items: Range<Int>, worker: Int) {
    let rows = attention.mergedRows
    let most = attention.mostRows
    let scratch = attention.scratch
    let padded = KVBlock.paddedDimension(attention.shape.headDimension)
    for item in items {
      let first = item * rowsAtOnce
      let count = min(rowsAtOnce, rows - first)
      let totals = scratch.sharedTotals(rows: rows)
        .pointers(row: first, paddedDimension: padded)
      if blocks.lowerBound == attention.firstBlock {
        attention.begin(totals, rows: count)
      }
      for block in 0..<blocks.count {
        unsafe attention.compute.kernels.vector.mergeRows(
          scratch.partial(block, rows: rows).pointers(row: first, paddedDimension: padded), totals,
          count, padded, scratch.weights(worker: worker))
      }
      guard blocks.upperBound > attention.lastBlock else { continue }
      for row in first..<first + count {
        let (tile, row) = row.quotientAndRemainder(dividingBy: most)
        if row < attention.rows(tile: tile) {
          attention.finish(
            scratch.sharedTotals(rows: rows).pointers(
              row: tile * most, paddedDimension: padded), row: row, of: tile)
        }
      }
    }
  }
}
