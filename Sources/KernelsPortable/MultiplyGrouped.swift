package import KernelTypes

/// Computes `count` tiles from `first` of a grouped product (N2): the specification that the other
/// sets equal to the bit.
///
/// `scratch` holds at least one panel of `TileGeometry.panelByteCount`, 64-byte aligned.
package func multiplyGrouped(
  _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
  _ scratch: UnsafeMutableRawPointer
) {
  var index = first
  while index < first &+ count {
    let tile = job.pointee.matrix.tiles + index &* job.pointee.matrix.tileStride
    withUnsafePointer(to: job.pointee.matrix) { expandPanel($0, tile, scratch) }
    var token = 0
    while token < job.pointee.tokens {
      let sums = multiplyPanel(job, scratch, token)
      storeRows(
        sums, job.pointee.output + token &* job.pointee.outputStride + index &* 16,
        rows: job.pointee.matrix.rows &- index &* 16, adds: job.pointee.adds)
      token = token &+ 1
    }
    index = index &+ 1
  }
}

/// Expands a tile: codes (step, row, 4), then scales (group, row), then offsets (group, row).
private func expandPanel(
  _ matrix: UnsafePointer<GroupedTiles>, _ tile: UnsafeRawPointer,
  _ scratch: UnsafeMutableRawPointer
) {
  let columns = matrix.pointee.columns
  let bits = matrix.pointee.bits
  var block = 0
  while block < columns / 32 {
    unpackBlock(codesBlock(matrix, tile, block), bits: bits, into: scratch + block &* 512)
    block = block &+ 1
  }
  let groups = columns / matrix.pointee.group
  let scales = (scratch + columns &* 16).assumingMemoryBound(to: Float.self)
  var index = 0
  while index < groups &* 16 {
    scales[index] = tileScale(matrix, tile, index &>> 4, index & 15)
    if matrix.pointee.isAffine {
      scales[groups &* 16 &+ index] = tileOffset(matrix, tile, index &>> 4, index & 15)
    }
    index = index &+ 1
  }
}

private func multiplyPanel(
  _ job: UnsafePointer<GroupedProduct>, _ panel: UnsafeMutableRawPointer, _ token: Int
) -> SIMD16<Float> {
  let columns = job.pointee.matrix.columns
  let group = job.pointee.matrix.group
  let groups = columns / group
  let inputGroup = job.pointee.input.group
  let inputGroups = columns / inputGroup
  let lanes = job.pointee.input.lanes
  let block = token / lanes
  let lane = token &- block &* lanes
  let q = job.pointee.input.codes + block &* lanes &* columns + lane &* 4
  let firstInputGroup = block &* lanes &* inputGroups &+ lane
  let firstGroup = block &* lanes &* groups &+ lane
  let scales = panel + columns &* 16
  var sums = SIMD16<Float>.zero
  var index = 0
  while index < groups {
    var partial = SIMD16<Float>.zero
    var inside = index &* group / inputGroup
    while inside < (index &+ 1) &* group / inputGroup {
      let at = firstInputGroup &+ inside &* lanes
      var dot = integerDots(
        panel, q, from: inside &* inputGroup / 4, count: inputGroup / 4, lanes: lanes)
      if job.pointee.matrix.isSigns {
        dot = dot &+ dot
      }
      if !job.pointee.matrix.isAffine {
        dot = dot &+ job.pointee.zeroTerms[at]
      }
      partial = partial + job.pointee.input.scales[at] * SIMD16<Float>(dot)
      inside = inside &+ 1
    }
    sums = sums + scales.load(fromByteOffset: index &* 64, as: SIMD16<Float>.self) * partial
    if job.pointee.matrix.isAffine {
      let offset = scales.load(
        fromByteOffset: (groups &+ index) &* 64, as: SIMD16<Float>.self)
      sums = sums + offset * job.pointee.groupSums[firstGroup &+ index &* lanes]
    }
    index = index &+ 1
  }
  return sums
}

/// Σ u·q over some steps, for the 16 rows of a panel.
@inline(always)
private func integerDots(
  _ panel: UnsafeMutableRawPointer, _ q: UnsafePointer<Int8>, from: Int, count: Int, lanes: Int
) -> SIMD16<Int32> {
  var sums = SIMD16<Int32>.zero
  var step = from
  while step < from &+ count {
    let weights = panel + step &* 64
    let input = q + step &* lanes &* 4
    let q0 = Int32(input[0])
    let q1 = Int32(input[1])
    let q2 = Int32(input[2])
    let q3 = Int32(input[3])
    // Four bytes of a row are one lane: no bytes need to be gathered.
    let four = weights.load(as: SIMD16<Int32>.self)
    sums = sums &+ (four & 0xFF) &* q0
    sums = sums &+ (four &>> 8 & 0xFF) &* q1
    sums = sums &+ (four &>> 16 & 0xFF) &* q2
    sums = sums &+ (four &>> 24 & 0xFF) &* q3
    step = step &+ 1
  }
  return sums
}

/// Writes up to 16 rows of one token.
func storeRows(
  _ sums: SIMD16<Float>, _ output: UnsafeMutablePointer<Float>, rows: Int, adds: Bool
) {
  var row = 0
  while row < min(rows, 16) {
    output[row] = adds ? output[row] + sums[row] : sums[row]
    row = row &+ 1
  }
}
