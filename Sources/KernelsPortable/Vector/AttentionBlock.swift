package import KernelTypes

// One block of 64 keys from scratch: scores = (Σ q·k)·scale over the head dimension ascending, m the
// largest visible score, weights e^(score − m), l their sum, o the weighted sum of the values over
// the keys ascending. What a row gets depends on nothing but its query and the block.

/// Fills the tile's maxima, sums and outputs from one block whose first key is at `start`.
///
/// `keys` are headDimension × 64, `values` 64 × paddedDimension, both float16.
package func attendFloat16Block(
  _ tile: UnsafePointer<AttentionTile>, keys: UnsafeRawPointer, values: UnsafeRawPointer,
  start: Int
) {
  let keys = keys.assumingMemoryBound(to: UInt16.self)
  let values = values.assumingMemoryBound(to: UInt16.self)
  let rows = tile.pointee.tokens &* tile.pointee.headsPerToken
  guard rows < rowsWorthWidening else {
    attendWidened(tile, start, rows, keys, values)
    return
  }
  attendBlock(
    tile, start,
    { _, rows, queries, low, target, registers in
      addProducts(
        rows: rows, queries, count: tile.pointee.headDimension, keys + low, bStride: 64,
        target, cStride: 64, registers: registers, starts: true)
    },
    { _, rows, weights, first, count, target, padded, starts in
      addProducts(
        rows: rows, weights, count: count, values + first &* padded, bStride: padded,
        target, cStride: padded, registers: padded / 16, starts: starts)
    },
    { _, _ in }, { _, _ in })
}

/// Floats of a block that are widened and used by all rows before the next are: 16 kB, which stay in the
/// first level of the cache beside the rows' own.
private let floatsAtOnce = 4_096

/// The same for many rows: float16 are widened once for all of them.
private func attendWidened(
  _ tile: UnsafePointer<AttentionTile>, _ start: Int, _ rows: Int,
  _ keys: UnsafePointer<UInt16>, _ values: UnsafePointer<UInt16>
) {
  let widened = UnsafePointer(tile.pointee.widened)
  let dimension = tile.pointee.headDimension
  var channel = 0
  while channel < dimension {
    let count = smallest(floatsAtOnce / 64, dimension &- channel)
    widen(keys + channel &* 64, tile.pointee.widened, count: count &* 64)
    addScores(tile, start, rows) { _, rows, queries, low, target, registers in
      addProducts(
        rows: rows,
        (queries.0 + channel, queries.1 + channel, queries.2 + channel, queries.3 + channel),
        count: count, widened + low, bStride: 64, target, cStride: 64, registers: registers,
        starts: channel == 0)
    }
    channel &+= count
  }
  let padded = tile.pointee.paddedDimension
  let seen = largest(end(tile, rows &- 1, start), 1)
  var key = 0
  while key < seen {
    let count = smallest(floatsAtOnce / padded, seen &- key)
    widen(values + key &* padded, tile.pointee.widened, count: count &* padded)
    var row = 0
    while row < rows {
      let group = smallest(rows &- row, productRows)
      if key == 0 {
        weigh(tile, row, group, start)
      }
      weighValues(tile, start, row, group, key, key &+ count) {
        _, rows, weights, first, count, target, padded, starts in
        addProducts(
          rows: rows, weights, count: count, widened + (first &- key) &* padded, bStride: padded,
          target, cStride: padded, registers: padded / 16, starts: starts)
      }
      if key &+ count == seen {
        merge(tile, row, group)
      }
      row &+= group
    }
    key &+= count
  }
}

/// Widens `count` float16, a multiple of 16.
private func widen(
  _ source: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    store(load(float16: source + index), target + index)
    index &+= 16
  }
}

/// The same for keys and values in float32.
package func attendFloat32Block(
  _ tile: UnsafePointer<AttentionTile>, keys: UnsafeRawPointer, values: UnsafeRawPointer,
  start: Int
) {
  let keys = keys.assumingMemoryBound(to: Float.self)
  let values = values.assumingMemoryBound(to: Float.self)
  attendBlock(
    tile, start,
    { _, rows, queries, low, target, registers in
      addProducts(
        rows: rows, queries, count: tile.pointee.headDimension, keys + low, bStride: 64,
        target, cStride: 64, registers: registers, starts: true)
    },
    { _, rows, weights, first, count, target, padded, starts in
      addProducts(
        rows: rows, weights, count: count, values + first &* padded, bStride: padded,
        target, cStride: padded, registers: padded / 16, starts: starts)
    },
    { _, _ in }, { _, _ in })
}

/// Gives the scores of some rows with the keys of the lanes from `low`, `registers` of them.
typealias AddKeys = (
  _ row: Int, _ rows: Int, _ queries: FourRows, _ low: Int,
  _ target: UnsafeMutablePointer<Float>, _ registers: Int
) -> Void

/// Adds to the outputs of some rows, or to zero if this `starts` them, what `count` keys from the `first`
/// give.
typealias AddValues = (
  _ row: Int, _ rows: Int, _ weights: FourRows, _ first: Int, _ count: Int,
  _ target: UnsafeMutablePointer<Float>, _ paddedDimension: Int, _ starts: Bool
) -> Void

/// What is done before the values of some rows are added, and after all of them were.
typealias VisitRows = (_ row: Int, _ rows: Int) -> Void

/// Attention to a block whose keys and values closures unpack; they and all below are inlined.
@inline(__always)
func attendBlock(
  _ tile: UnsafePointer<AttentionTile>, _ start: Int, _ addKeys: AddKeys,
  _ addValues: AddValues, _ begin: VisitRows, _ finish: VisitRows
) {
  let rows = tile.pointee.tokens &* tile.pointee.headsPerToken
  addScores(tile, start, rows, addKeys)
  var row = 0
  while row < rows {
    let count = smallest(rows &- row, productRows)
    weigh(tile, row, count, start)
    begin(row, count)
    weighValues(tile, start, row, count, 0, 64, addValues)
    finish(row, count)
    merge(tile, row, count)
    row &+= count
  }
}

@inline(__always)
private func clearOutputs(_ tile: UnsafePointer<AttentionTile>, _ row: Int, _ rows: Int) {
  let padded = tile.pointee.paddedDimension
  let outputs = tile.pointee.block.outputs + row &* padded
  var index = 0
  while index < rows &* padded {
    store(zeros(), outputs + index)
    index &+= 16
  }
}

/// The token of a row.
@inline(__always)
private func token(_ tile: UnsafePointer<AttentionTile>, _ row: Int) -> Int {
  (row &* tile.pointee.headsInverse) &>> 32
}

/// The lanes of a block that a row sees are `first..<end`, if that is not empty.
@inline(__always)
func first(_ tile: UnsafePointer<AttentionTile>, _ row: Int, _ start: Int) -> Int {
  largest(
    tile.pointee.position &+ token(tile, row) &+ 1 &- tile.pointee.window &- start, 0)
}

@inline(__always)
func end(_ tile: UnsafePointer<AttentionTile>, _ row: Int, _ start: Int) -> Int {
  smallest(tile.pointee.position &+ token(tile, row) &+ 1 &- start, 64)
}

/// Gives the scores of the registers in which any row sees a key; the others are anything.
@inline(__always)
private func addScores(
  _ tile: UnsafePointer<AttentionTile>, _ start: Int, _ rows: Int, _ addKeys: AddKeys
) {
  let low = smallest(first(tile, 0, start), 63) / 16
  let high = (largest(end(tile, rows &- 1, start), 0) &+ 15) / 16
  guard low < high else { return }
  let scores = tile.pointee.weights
  var row = 0
  while row < rows {
    let count = smallest(rows &- row, productRows)
    let target = scores + row &* 64
    let queries = (
      query(tile, row), query(tile, smallest(row &+ 1, rows &- 1)),
      query(tile, smallest(row &+ 2, rows &- 1)), query(tile, smallest(row &+ 3, rows &- 1))
    )
    addKeys(row, count, queries, low &* 16, target + low &* 16, high &- low)
    row &+= count
  }
}

@inline(__always)
func query(_ tile: UnsafePointer<AttentionTile>, _ row: Int) -> UnsafePointer<Float> {
  let token = token(tile, row)
  let head = row &- token &* tile.pointee.headsPerToken
  return tile.pointee.queries + token &* tile.pointee.queryStride + head
    &* tile.pointee.headDimension
}

/// Turns the scores of a few rows into weights, +0 where no key is seen.
///
/// First all maxima, then all weights: each row's wait for the reduction of its lanes is spent on the next.
private func weigh(
  _ tile: UnsafePointer<AttentionTile>, _ row: Int, _ count: Int, _ start: Int
) {
  let scale = splat(tile.pointee.scale)
  var index = row
  while index < row &+ count {
    let scores = tile.pointee.weights + index &* 64
    let (first, end) = (first(tile, index, start), end(tile, index, start))
    let scaled = seen(first, end, each(loadFour(scores)) { multiply($0, scale) }, splat(-.infinity))
    storeFour(scaled, scores)
    let most = larger(
      larger(larger(larger(splat(-.infinity), scaled.0), scaled.1), scaled.2), scaled.3)
    tile.pointee.block.maxima[index] = largest(most)
    index &+= 1
  }
  index = row
  while index < row &+ count {
    let scores = tile.pointee.weights + index &* 64
    let (first, end) = (first(tile, index, start), end(tile, index, start))
    let scaled = loadFour(scores)
    let maximum = splat(tile.pointee.block.maxima[index])
    let differences = each(scaled) { subtract($0, maximum) }
    let weights = seen(first, end, exponential(differences), zeros())
    storeFour(weights, scores)
    let total = add(add(add(add(zeros(), weights.0), weights.1), weights.2), weights.3)
    tile.pointee.block.sums[index] = sum(total)
    index &+= 1
  }
}

/// Lanes `first..<end` of 64, the others of another register.
@inline(__always)
func seen(_ first: Int, _ end: Int, _ lanes: FourLanes, _ other: Lanes) -> FourLanes {
  guard first > 0 || end < 64 else { return lanes }
  return (
    select(lane(first, 0), lane(end, 0), lanes.0, other),
    select(lane(first, 16), lane(end, 16), lanes.1, other),
    select(lane(first, 32), lane(end, 32), lanes.2, other),
    select(lane(first, 48), lane(end, 48), lanes.3, other)
  )
}

/// A limit among 64 lanes as one among the 16 that begin at `low`.
@inline(__always) func lane(_ limit: Int, _ low: Int) -> Int {
  smallest(largest(limit &- low, 0), 16)
}

/// Adds Σ weight · value for a few rows over the keys in `low..<high` that each sees, ascending.
///
/// Keys that all the rows see are gone through together, those before and after row by row: a key
/// that a row does not see is left out, whatever its value is.
@inline(__always)
private func weighValues(
  _ tile: UnsafePointer<AttentionTile>, _ start: Int, _ row: Int, _ count: Int, _ low: Int,
  _ high: Int, _ addValues: AddValues
) {
  // Later rows see no fewer keys at the end, and no more at the beginning.
  let commonFirst = within(low, high, first(tile, row &+ count &- 1, start))
  let commonEnd = largest(within(low, high, end(tile, row, start)), commonFirst)
  let lastEnd = within(low, high, end(tile, row &+ count &- 1, start))
  if low == 0 && commonFirst == 0 && commonEnd == lastEnd && lastEnd > 0 {
    return weighValues(tile, row, count, 0, lastEnd, true, addValues)
  }
  if low == 0 {
    clearOutputs(tile, row, count)
  }
  var index = 0
  while index < count {
    let first = within(low, high, first(tile, row &+ index, start))
    let end = smallest(end(tile, row &+ index, start), commonFirst)
    weighValues(tile, row &+ index, 1, first, end, false, addValues)
    index &+= 1
  }
  weighValues(tile, row, count, commonFirst, commonEnd, false, addValues)
  index = 0
  while index < count {
    let end = within(low, high, end(tile, row &+ index, start))
    weighValues(tile, row &+ index, 1, commonEnd, end, false, addValues)
    index &+= 1
  }
}

@inline(__always)
private func within(_ low: Int, _ high: Int, _ value: Int) -> Int {
  smallest(largest(value, low), high)
}

@inline(__always)
private func weighValues(
  _ tile: UnsafePointer<AttentionTile>, _ row: Int, _ count: Int, _ first: Int, _ end: Int,
  _ starts: Bool, _ addValues: AddValues
) {
  guard first < end else { return }
  let padded = tile.pointee.paddedDimension
  let weights = UnsafePointer(tile.pointee.weights) + row &* 64 + first
  let last = count &- 1
  let rows = (
    weights, weights + smallest(1, last) &* 64, weights + smallest(2, last) &* 64,
    weights + smallest(3, last) &* 64
  )
  addValues(
    row, count, rows, first, end &- first, tile.pointee.block.outputs + row &* padded, padded,
    starts)
}

@inline(__always) func smallest(_ a: Int, _ b: Int) -> Int { a < b ? a : b }
@inline(__always) func largest(_ a: Int, _ b: Int) -> Int { a > b ? a : b }
