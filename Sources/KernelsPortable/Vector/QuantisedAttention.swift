package import KernelTypes

// Attention to a block of quantised keys and values (QuantisedLayout), code by code as in
// AttentionBlock.swift. A key's element is s·u + b with s and b of its channel, so a score is
// Σ (q·s)·u + Σ q·b, both over the channels ascending, the second by the rule for sums across lanes
// and added last; a value's is s·u + b with s and b of its position and group, so an output is
// Σ (w·s)·u over the keys ascending, + Σ w·b by that rule. Scales are multiplied into queries and
// weights, once for all the codes they belong to, so a code costs what a float16 does.

/// `attendFloat16Block` for quantised keys and values, of the tile's bits; `keys` is where the head
/// begins.
package func attendQuantisedBlock(
  _ tile: UnsafePointer<AttentionTile>, keys head: UnsafeRawPointer, values: UnsafeRawPointer,
  start: Int
) {
  let layout = QuantisedLayout(
    headDimension: tile.pointee.headDimension, keyBits: tile.pointee.keyBits,
    valueBits: tile.pointee.valueBits)
  foldQueries(tile, head, layout)
  var folded = tile.pointee
  folded.queries = UnsafePointer(tile.pointee.folded)
  folded.queryStride = folded.headsPerToken &* folded.headDimension
  attendFolded(&folded, head, start, layout)
}

/// What a tile's scratch is used for: queries with scales, their offsets' sums per row; then, for
/// the rows at hand, weights with scales and their offsets' sums.
@inline(__always)
private func foldedOffsets(_ tile: UnsafePointer<AttentionTile>, _ row: Int)
  -> UnsafeMutablePointer<Float>
{
  let rows = tile.pointee.tokens &* tile.pointee.headsPerToken
  return tile.pointee.folded + (rows &* tile.pointee.headDimension &+ row)
}

@inline(__always)
private func foldedWeights(_ tile: UnsafePointer<AttentionTile>, _ layout: QuantisedLayout)
  -> UnsafeMutablePointer<Float>
{
  let rows = tile.pointee.tokens &* tile.pointee.headsPerToken
  return foldedOffsets(tile, rows)
}

private func attendFolded(
  _ tile: UnsafePointer<AttentionTile>, _ head: UnsafeRawPointer, _ start: Int,
  _ layout: QuantisedLayout
) {
  attendBlock(
    tile, start,
    { row, rows, queries, low, target, registers in
      addKeys(tile, head, layout, row, rows, queries, low, target, registers)
    },
    { row, rows, _, first, count, target, _, starts in
      // Where the row is among those whose weights were folded last.
      let index = row &- row / productRows &* productRows
      addValues(tile, head, layout, index, rows, first, count, target, starts)
    },
    { row, rows in foldWeights(tile, head, layout, row, rows, start) },
    { row, rows in addOffsets(tile, layout, row, rows, start) })
}

private func foldQueries(
  _ tile: UnsafePointer<AttentionTile>, _ head: UnsafeRawPointer, _ layout: QuantisedLayout
) {
  let scales = head.assumingMemoryBound(to: UInt16.self)
  let offsets = (head + layout.keyOffsets).assumingMemoryBound(to: UInt16.self)
  let count = layout.headDimension
  let rows = tile.pointee.tokens &* tile.pointee.headsPerToken
  var row = 0
  while row < rows {
    let source = query(tile, row)
    let target = tile.pointee.folded + row &* count
    var sums = zeros()
    var index = 0
    while index < count {
      let lanes = min16(count &- index)
      let query = load(source + index, count: lanes)
      store(multiply(query, load(float16: scales + index)), target + index, count: lanes)
      sums = add(sums, multiply(query, load(float16: offsets + index)))
      index &+= 16
    }
    foldedOffsets(tile, row).pointee = sum(sums)
    row &+= 1
  }
}

private func addKeys(
  _ tile: UnsafePointer<AttentionTile>, _ head: UnsafeRawPointer, _ layout: QuantisedLayout,
  _ row: Int, _ rows: Int, _ queries: FourRows, _ low: Int,
  _ target: UnsafeMutablePointer<Float>, _ registers: Int
) {
  let codes = (head + layout.keys).assumingMemoryBound(to: UInt8.self)
  if layout.keyBits == 8 {
    addProducts8(
      rows: rows, queries, second: 0, count: layout.headDimension, codes + low,
      stride: 64, target, cStride: 64, registers: registers, starts: true)
  } else {
    addProducts4(
      rows: rows, queries, second: 0, count: layout.headDimension, codes,
      stride: 32, first: low / 16, target, cStride: 64, registers: registers, starts: true)
  }
  var index = 0
  while index < rows {
    let offset = splat(foldedOffsets(tile, row &+ index).pointee)
    let scores = target + index &* 64
    var register = 0
    while register < registers {
      store(add(load(scores + register &* 16), offset), scores + register &* 16)
      register &+= 1
    }
    index &+= 1
  }
}

/// Weights with the scales of each group of values, and Σ weight · offset of each.
private func foldWeights(
  _ tile: UnsafePointer<AttentionTile>, _ head: UnsafeRawPointer, _ layout: QuantisedLayout,
  _ row: Int, _ rows: Int, _ start: Int
) {
  let scales = (head + layout.valueScales).assumingMemoryBound(to: UInt16.self)
  let offsets = (head + layout.valueOffsets).assumingMemoryBound(to: UInt16.self)
  let folded = foldedWeights(tile, layout)
  let sums = folded + rows &* layout.groups &* 64
  var group = 0
  while group < layout.groups {
    let scale = loadFour(float16: scales + group &* 64)
    let offset = loadFour(float16: offsets + group &* 64)
    var index = 0
    while index < rows {
      let first = first(tile, row &+ index, start)
      let end = end(tile, row &+ index, start)
      if first < end {
        let weights = loadFour(tile.pointee.weights + (row &+ index) &* 64)
        let place = index &* layout.groups &+ group
        storeFour(each(weights, scale, multiply), folded + place &* 64)
        // An offset that no weight belongs to may be anything.
        let products = seen(first, end, each(weights, offset, multiply), zeros())
        sums[place] = sum(add(add(add(products.0, products.1), products.2), products.3))
      }
      index &+= 1
    }
    group &+= 1
  }
}

/// Whole units of two groups, then what is left, which is of one group.
private func addValues(
  _ tile: UnsafePointer<AttentionTile>, _ head: UnsafeRawPointer, _ layout: QuantisedLayout,
  _ index: Int, _ rows: Int, _ first: Int, _ count: Int, _ target: UnsafeMutablePointer<Float>,
  _ starts: Bool
) {
  let values = (head + layout.values).assumingMemoryBound(to: UInt8.self)
  let padded = layout.paddedDimension
  let rowStride = layout.groups &* 64
  var register = 0
  while register < padded / 16 {
    let group = smallest(register / 2, layout.groups &- 1)
    let weights =
      UnsafePointer(foldedWeights(tile, layout))
      + (index &* rowStride &+ group &* 64 &+ first)
    let last = rows &- 1
    let a = (
      weights, weights + smallest(1, last) &* rowStride,
      weights + smallest(2, last) &* rowStride, weights + smallest(3, last) &* rowStride
    )
    let c = target + register &* 16
    var registers = smallest(padded / 16 &- register, 4)
    let second = registers == 4 ? 64 : 0
    let stride = QuantisedLayout.rowStride(registers: registers, bits: layout.valueBits)
    let codes = values + (register &* 16 &* 64 &* layout.valueBits / 8 &+ first &* stride)
    if layout.valueBits == 8 {
      addProducts8(
        rows: rows, a, second: second, count: count, codes, stride: stride, c, cStride: padded,
        registers: registers, starts: starts)
    } else if registers == 1 {
      let singles = (head + layout.singles).assumingMemoryBound(to: UInt8.self)
      addSingleProducts4(
        rows: rows, a, first: first, count: count, singles, c, cStride: padded,
        starts: starts)
    } else {
      // A third register has no partner, and comes next by itself.
      registers = registers == 3 ? 2 : registers
      addProducts4(
        rows: rows, a, second: second, count: count, codes, stride: stride, first: 0, c,
        cStride: padded, registers: registers, starts: starts)
    }
    register &+= registers
  }
}

private func addOffsets(
  _ tile: UnsafePointer<AttentionTile>, _ layout: QuantisedLayout, _ row: Int, _ rows: Int,
  _ start: Int
) {
  let sums = foldedWeights(tile, layout) + rows &* layout.groups &* 64
  let registers = layout.paddedDimension / 16
  var index = 0
  while index < rows {
    let outputs = tile.pointee.block.outputs + (row &+ index) &* layout.paddedDimension
    let isVisible = first(tile, row &+ index, start) < end(tile, row &+ index, start)
    var register = 0
    while register < registers && isVisible {
      let group = smallest(register / 2, layout.groups &- 1)
      let offset = splat(sums[index &* layout.groups &+ group])
      store(add(load(outputs + register &* 16), offset), outputs + register &* 16)
      register &+= 1
    }
    index &+= 1
  }
}
