import KernelTypes

/// Working memory of attention, allocated once for the largest layer.
@safe package final class AttentionScratch: @unchecked Sendable {
  /// Rows of one tile: query heads of one key-value head × tokens.
  ///
  /// With so many, widening keys and values for a tile is a small part of using them.
  static let tileRows = 128
  /// Blocks that are computed at once when it is the blocks that are shared out.
  private static let mostBlocks = 128
  /// Floats that their results may take, 4 MB.
  private static let mostPartials = 1 << 20

  let rows: Int
  let threads: Int
  let headDimension: Int
  /// Tiles whose blocks can be shared out.
  let sharedTiles: Int
  /// Floats of a result of so many rows.
  private let resultCount: Int
  /// First bytes of the blocks of the layer at hand, from the first one that is seen, in the form
  /// in which they are stored and in the quantised one; only those that are read are meaningful.
  let blocks: Slab<UnsafeRawPointer>
  let quantisedBlocks: Slab<UnsafeRawPointer>

  /// Per worker: weights, then the result of a block, then the totals, then folded queries and
  /// weights, then a widened block.
  private let perWorker: Slab<Float>
  private let workerStride: Int
  private let partials: Slab<Float>
  private let totals: Slab<Float>

  /// Room for layers with up to these numbers, and for `context` positions.
  package init(shapes: [AttentionShape], context: Int, threads: Int) {
    rows = max(Self.tileRows, shapes.map(\.headsPerKeyValueHead).max() ?? 1)
    headDimension = shapes.map(\.headDimension).max() ?? 1
    self.threads = threads
    sharedTiles = max(threads * 3, shapes.map(\.keyValueHeads).max() ?? 1)
    resultCount = AttentionResult.count(rows: rows, headDimension: headDimension)
    workerStride =
      rows * KVBlock.positions + 2 * resultCount + Self.foldedCount(rows, headDimension)
      + Self.widenedCount(headDimension)
    unsafe blocks = Slab(count: context / KVBlock.positions + 2)
    unsafe quantisedBlocks = Slab(count: context / KVBlock.positions + 2)
    perWorker = Slab(count: threads * workerStride)
    totals = Slab(count: threads == 1 ? 0 : sharedTiles * resultCount)
    partials = Slab(
      count: threads == 1
        ? 0
        : max(
          sharedTiles * resultCount,
          min(sharedTiles * resultCount * Self.mostBlocks, Self.mostPartials)))
  }

  package var byteCount: Int {
    unsafe perWorker.byteCount + totals.byteCount + partials.byteCount + blocks.byteCount
      + quantisedBlocks.byteCount
  }

  /// Floats of `AttentionTile.folded`.
  static func foldedCount(_ rows: Int, _ headDimension: Int) -> Int {
    let layout = QuantisedLayout(headDimension: headDimension, keyBits: 8, valueBits: 8)
    let count = rows * (headDimension + 1) + 4 * layout.groups * (KVBlock.positions + 1)
    return (count + 15) / 16 * 16
  }

  /// Floats of `AttentionTile.widened`.
  static func widenedCount(_ headDimension: Int) -> Int {
    KVBlock.paddedDimension(headDimension) * KVBlock.positions
  }

  /// How many blocks the partial results of so many rows have room for.
  func blocksAtOnce(rows: Int) -> Int {
    let count = AttentionResult.count(rows: rows, headDimension: headDimension)
    return max(1, min(Self.mostBlocks, partials.count / count))
  }

  func weights(worker: Int) -> UnsafeMutablePointer<Float> {
    unsafe perWorker.base + worker * workerStride
  }

  func blockResult(worker: Int) -> AttentionResult {
    unsafe AttentionResult(
      base: weights(worker: worker) + rows * KVBlock.positions, rows: rows)
  }

  func folded(worker: Int) -> UnsafeMutablePointer<Float> {
    unsafe weights(worker: worker) + rows * KVBlock.positions + 2 * resultCount
  }

  func widened(worker: Int) -> UnsafeMutablePointer<Float> {
    unsafe folded(worker: worker) + Self.foldedCount(rows, headDimension)
  }

  func total(worker: Int) -> AttentionResult {
    unsafe AttentionResult(
      base: weights(worker: worker) + rows * KVBlock.positions + resultCount, rows: rows)
  }

  /// What a block of the round at hand gives so many rows, those of all tiles.
  func partial(_ block: Int, rows: Int) -> AttentionResult {
    let count = AttentionResult.count(rows: rows, headDimension: headDimension)
    return unsafe AttentionResult(base: partials.base + block * count, rows: rows)
  }

  /// What the blocks so far have given so many rows, those of all tiles.
  func sharedTotals(rows: Int) -> AttentionResult {
    unsafe AttentionResult(base: totals.base, rows: rows)
  }
}

/// Where the (m, l, o) of the rows of a tile lie.
@safe struct AttentionResult {
  let base: UnsafeMutablePointer<Float>
  let rows: Int

  var maxima: UnsafeMutablePointer<Float> { unsafe base }
  var sums: UnsafeMutablePointer<Float> { unsafe base + rows }
  var outputs: UnsafeMutablePointer<Float> { unsafe base + Self.outputsStart(rows) }

  /// The same from a row on, of outputs of so many floats.
  func pointers(row: Int = 0, paddedDimension: Int = 0) -> AttentionSums {
    unsafe AttentionSums(
      maxima: maxima + row, sums: sums + row, outputs: outputs + row * paddedDimension)
  }

  /// Floats of a result.
  static func count(rows: Int, headDimension: Int) -> Int {
    outputsStart(rows) + rows * KVBlock.paddedDimension(headDimension)
  }

  /// Whole registers, so that outputs do not lie across cache lines.
  private static func outputsStart(_ rows: Int) -> Int { (2 * rows + 15) / 16 * 16 }
}
