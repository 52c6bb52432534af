extension Span<Float> {
  /// Whether a number is above the threshold or not finite.
  @inline(always)
  func hasOutlier(above threshold: Float) -> Bool {
    var found: UInt32 = 0
    for index in indices {
      let number = self[index]
      // The exponent of what is not finite is all ones; the addition carries into the sign bit.
      let isNotFinite = ((number.bitPattern & 0x7fff_ffff) &+ 0x0080_0000) >> 31
      found |= isNotFinite | (number > threshold ? 1 : 0)
    }
    return found != 0
  }
}
