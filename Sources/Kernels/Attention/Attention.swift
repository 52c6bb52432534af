import KernelTypes

/// One call of attention: which tiles there are and how each is computed.
///
/// A tile is some consecutive tokens and the query heads of one key-value head, and is computed by
/// one worker, block after block. When that gives too little to share out, the blocks are shared
/// out instead and merged afterwards, in the same order by the same formula: the bits are the same.
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
    tile: Int, worker: Int, result: AttentionResult, totals: AttentionResult?
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
      block: result.pointers(), totals: totals?.pointers())
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

  func rows(tile: Int) -> Int { tokens(tile: tile).count * shape.headsPerKeyValueHead }

  /// Starts the totals of a tile with nothing visible.
  func begin(_ total: AttentionResult, tile: Int) {
    for row in 0..<rows(tile: tile) {
      unsafe total.sums[row] = 0
    }
  }

  func merge(_ result: AttentionResult, into total: AttentionResult, tile: Int, worker: Int) {
    let padded = KVBlock.paddedDimension(shape.headDimension)
    let rows = rows(tile: tile)
    for row in stride(from: 0, to: rows, by: 16) {
      unsafe compute.kernels.vector.mergeRows(
        result.pointers(row: row, paddedDimension: padded),
        total.pointers(row: row, paddedDimension: padded), min(16, rows - row), padded,
        scratch.weights(worker: worker))
    }
  }

  /// Divides the totals by their sums into the target.
  func finish(_ total: AttentionResult, tile: Int) {
    let padded = KVBlock.paddedDimension(shape.headDimension)
    let group = shape.headsPerKeyValueHead
    let first = tokens(tile: tile).lowerBound
    for row in 0..<rows(tile: tile) {
      let head = head(tile: tile) * group + row % group
      unsafe compute.kernels.vector.finishAttention(
        total.outputs + row * padded, total.sums[row],
        target.pointer(row: first + row / group) + head * shape.headDimension,
        shape.headDimension)
    }
  }
}

/// Whole tiles, shared out.
@safe struct AttendTiles: ParallelWork {
  let attention: Attention

  func perform(_ items: Range<Int>, worker: Int) {
    let result = attention.scratch.blockResult(worker: worker)
    let total = attention.scratch.total(worker: worker)
    for tile in items {
      var arguments = attention.arguments(
        tile: tile, worker: worker, result: result, totals: total)
      attention.begin(total, tile: tile)
      for block in attention.blocks(tile: tile) {
        attention.compute(&arguments, head: attention.head(tile: tile), block: block)
      }
      attention.finish(total, tile: tile)
    }
  }
}

/// The blocks of one round, shared out: item = block of the round × tiles + tile.
@safe struct AttendBlocks: ParallelWork {
  let attention: Attention
  let firstBlock: Int

  func perform(_ items: Range<Int>, worker: Int) {
    for item in items {
      let tile = item % attention.tileCount
      let block = firstBlock + item / attention.tileCount
      var arguments = attention.arguments(
        tile: tile, worker: worker,
        result: attention.scratch.partial(item, rows: attention.mostRows), totals: nil)
      attention.compute(&arguments, head: attention.head(tile: tile), block: block)
    }
  }
}

/// The tiles' partial results of one round, merged in ascending order.
@safe struct MergeBlocks: ParallelWork {
  let attention: Attention
  let blocks: Range<Int>

  func perform(_ items: Range<Int>, worker: Int) {
    for tile in items {
      let total = attention.scratch.total(tile: tile)
      if blocks.lowerBound == attention.firstBlock {
        attention.begin(total, tile: tile)
      }
      for block in blocks {
        let item = (block - blocks.lowerBound) * attention.tileCount + tile
        attention.merge(
          attention.scratch.partial(item, rows: attention.mostRows), into: total, tile: tile,
          worker: worker)
      }
      if blocks.upperBound > attention.lastBlock {
        attention.finish(total, tile: tile)
      }
    }
  }
}
