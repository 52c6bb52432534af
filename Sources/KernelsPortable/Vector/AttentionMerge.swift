package import KernelTypes

// Blocks are merged one by one in ascending order, by this formula alone, whoever computed them.

/// Merges what the next block gives a few rows of a tile into their totals, if the tile has any.
@inline(__always)
func merge(_ tile: UnsafePointer<AttentionTile>, _ row: Int, _ count: Int) {
  guard let totals = tile.pointee.totals else { return }
  let padded = tile.pointee.paddedDimension
  // Their weights have been used.
  mergeRows(
    at(tile.pointee.block, row, padded), into: at(totals, row, padded), count: count,
    paddedDimension: padded, scratch: tile.pointee.weights + row &* 64)
}

@inline(__always)
private func at(_ sums: AttentionSums, _ row: Int, _ padded: Int) -> AttentionSums {
  AttentionSums(
    maxima: sums.maxima + row, sums: sums.sums + row, outputs: sums.outputs + row &* padded)
}

/// Merges what the next block gives `count` rows, at most 16, into what they have so far.
///
/// A sum of 0 means that nothing was visible, in either. `scratch` has room for 32 floats.
package func mergeRows(
  _ block: AttentionSums, into total: AttentionSums, count: Int, paddedDimension: Int,
  scratch: UnsafeMutablePointer<Float>
) {
  let totalMaxima = load(total.maxima, count: count)
  let maxima = load(block.maxima, count: count)
  let highest = larger(totalMaxima, maxima)
  store(exponential(subtract(totalMaxima, highest)), scratch)
  store(exponential(subtract(maxima, highest)), scratch + 16)
  var row = 0
  while row < count {
    merge(
      block, into: total, row, paddedDimension, UnsafePointer(scratch) + row,
      UnsafePointer(scratch) + (16 &+ row))
    row &+= 1
  }
}

@inline(__always)
private func merge(
  _ block: AttentionSums, into total: AttentionSums, _ row: Int, _ padded: Int,
  _ old: UnsafePointer<Float>, _ new: UnsafePointer<Float>
) {
  let source = UnsafePointer(block.outputs) + row &* padded
  let target = total.outputs + row &* padded
  guard block.sums[row] != 0 else { return }
  guard total.sums[row] != 0 else {
    total.maxima[row] = block.maxima[row]
    total.sums[row] = block.sums[row]
    var index = 0
    while index < padded {
      store(load(source + index), target + index)
      index &+= 16
    }
    return
  }
  var index = 0
  while index < padded {
    let kept = multiply(broadcast: old, load(target + index))
    store(add(kept, multiply(broadcast: new, load(source + index))), target + index)
    index &+= 16
  }
  let sums = add(
    multiply(broadcast: old, splat(total.sums[row])),
    multiply(broadcast: new, splat(block.sums[row])))
  store(sums, total.sums + row, count: 1)
  if !(total.maxima[row] > block.maxima[row]) {
    total.maxima[row] = block.maxima[row]
  }
}

/// target = output / sum, `count` elements.
package func finishAttention(
  output: UnsafePointer<Float>, sum: Float, _ target: UnsafeMutablePointer<Float>, count: Int
) {
  var index = 0
  while index < count {
    let lanes = min16(count &- index)
    store(divide(load(output + index, count: lanes), splat(sum)), target + index, count: lanes)
    index &+= 16
  }
}
