package import KernelTypes

/// Quantises one token (N1).
///
/// With a = max|x| of a group: below 2⁻¹⁰⁰ scale and codes are 0; otherwise s = a/127 and
/// q = nearest-even(x·(127/a)), which cannot leave −127…127. A group that holds a NaN or an
/// infinity has q = 0 and s = NaN or ∞, so that the products it enters are not finite either.
package func quantise(_ job: UnsafePointer<QuantiseJob>, _ token: Int) {
  let output = job.pointee.output
  let lanes = output.lanes
  let group = output.group
  let block = token / lanes
  let lane = token &- block &* lanes
  let groups = output.columns / group
  let codes = output.codes + block &* lanes &* output.columns + lane &* 4
  let first = block &* lanes &* groups &+ lane
  var index = 0
  while index < groups {
    let x = job.pointee.input + token &* job.pointee.inputStride + index &* group
    // The bits of |x| compare as integers, NaN above infinity.
    var peak: UInt32 = 0
    var column = 0
    while column < group {
      peak = max(peak, x[column].bitPattern & 0x7FFF_FFFF)
      column = column &+ 1
    }
    var scale: Float = 0
    var inverse: Float = 0
    if peak >= Float.infinity.bitPattern {
      scale = peak == Float.infinity.bitPattern ? .infinity : .nan
    } else if peak >= TileGeometry.smallestPeakBits {
      let a = Float(bitPattern: peak)
      scale = a / 127
      inverse = 127 / a
    }
    var sum: Int32 = 0
    column = 0
    while column < group {
      let code = inverse == 0 ? 0 : nearestEven(x[column] * inverse)
      sum = sum &+ code
      let input = index &* group &+ column
      codes[(input &>> 2) &* lanes &* 4 &+ (input & 3)] = Int8(truncatingIfNeeded: code)
      column = column &+ 1
    }
    output.scales[first &+ index &* lanes] = scale
    output.sums[first &+ index &* lanes] = sum
    index = index &+ 1
  }
}

@inline(always)
private func nearestEven(_ value: Float) -> Int32 {
  let shift = TileGeometry.roundingShift
  return Int32(bitPattern: (value + shift).bitPattern &- shift.bitPattern)
}

/// −z·Σq of every activation group of one block of tokens.
package func writeZeroTerms(
  _ input: UnsafePointer<QuantisedInput>, block: Int, zero: Int32,
  into terms: UnsafeMutablePointer<Int32>
) {
  let count = input.pointee.columns / input.pointee.group &* input.pointee.lanes
  let sums = input.pointee.sums + block &* count
  var index = 0
  while index < count {
    terms[block &* count &+ index] = 0 &- zero &* sums[index]
    index = index &+ 1
  }
}

/// Σ s_x·Σq of every group of `group` inputs of one block of tokens (N2).
package func writeGroupSums(
  _ input: UnsafePointer<QuantisedInput>, block: Int, group: Int,
  into groupSums: UnsafeMutablePointer<Float>
) {
  let lanes = input.pointee.lanes
  let columns = input.pointee.columns
  let inside = group / input.pointee.group
  let groups = columns / group
  let first = block &* (columns / input.pointee.group) &* lanes
  let scales = input.pointee.scales + first
  let sums = input.pointee.sums + first
  let target = groupSums + block &* groups &* lanes
  var index = 0
  while index < groups {
    var lane = 0
    while lane < lanes {
      var sum: Float = 0
      var at = index &* inside &* lanes &+ lane
      var count = 0
      while count < inside {
        sum = sum + scales[at] * Float(sums[at])
        at = at &+ lanes
        count = count &+ 1
      }
      target[index &* lanes &+ lane] = sum
      lane = lane &+ 1
    }
    index = index &+ 1
  }
}
