import KernelTypes

/// Working memory of attention, allocated once for the largest layer.
@safe package final class AttentionScratch: @unchecked Sendable {
  /// Rows of one tile: query heads of one key-value head × tokens.
  private static let tileRows = 16
  /// Blocks that are computed at once when it is the blocks that are shared out.
  private static let mostBlocks = 64
  /// Floats that their results may take, 4 MB.
  private static let mostPartials = 1 << 20

  let rows: Int
  let threads: Int
  let headDimension: Int
  /// Tiles whose blocks can be shared out.
  let sharedTiles: Int
  /// Floats from one result to the next.
  let resultStride: Int
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
    resultStride = (rows * (KVBlock.paddedDimension(headDimension) + 2) + 15) / 16 * 16
    workerStride =
      rows * KVBlock.positions + 2 * resultStride + Self.foldedCount(rows, headDimension)
      + Self.widenedCount(headDimension)
    unsafe blocks = Slab(count: context / KVBlock.positions + 2)
    unsafe quantisedBlocks = Slab(count: context / KVBlock.positions + 2)
    perWorker = Slab(count: threads * workerStride)
    totals = Slab(count: threads == 1 ? 0 : sharedTiles * resultStride)
    partials = Slab(
      count: threads == 1
        ? 0
        : max(
          sharedTiles * resultStride,
          min(sharedTiles * resultStride * Self.mostBlocks, Self.mostPartials)))
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

  /// How many blocks of so many tiles the partial results have room for.
  func blocksAtOnce(tiles: Int) -> Int {
    max(1, min(Self.mostBlocks, partials.count / (tiles * resultStride)))
  }

  func weights(worker: Int) -> UnsafeMutablePointer<Float> {
    unsafe perWorker.base + worker * workerStride
  }

  func blockResult(worker: Int) -> AttentionResult {
    unsafe AttentionResult(
      base: weights(worker: worker) + rows * KVBlock.positions, rows: rows)
  }

  func folded(worker: Int) -> UnsafeMutablePointer<Float> {
    unsafe weights(worker: worker) + rows * KVBlock.positions + 2 * resultStride
  }

  func widened(worker: Int) -> UnsafeMutablePointer<Float> {
    unsafe folded(worker: worker) + Self.foldedCount(rows, headDimension)
  }

  func total(worker: Int) -> AttentionResult {
    unsafe AttentionResult(
      base: weights(worker: worker) + rows * KVBlock.positions + resultStride, rows: rows)
  }

  func partial(_ index: Int) -> AttentionResult {
    unsafe AttentionResult(base: partials.base + index * resultStride, rows: rows)
  }

  func total(tile: Int) -> AttentionResult {
    unsafe AttentionResult(base: totals.base + tile * resultStride, rows: rows)
  }
}

/// Where the (m, l, o) of the rows of a tile lie.
@safe struct AttentionResult {
  let base: UnsafeMutablePointer<Float>
  let rows: Int

  var maxima: UnsafeMutablePointer<Float> { unsafe base }
  var sums: UnsafeMutablePointer<Float> { unsafe base + rows }
  var outputs: UnsafeMutablePointer<Float> { unsafe base + 2 * rows }
}
