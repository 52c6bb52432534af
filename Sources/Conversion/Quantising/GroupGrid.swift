/// The grid of one group: w = scale·u + bias for codes u from 0 to 2^bits − 1.
///
/// `mx.quantize`'s rule, in float32 throughout: the end of the range that is larger in magnitude lies
/// on the grid exactly, and so does zero, whose code is a whole number.
struct GroupGrid {
  let scale: Float
  let bias: Float

  /// The smallest step, for groups whose weights are all equal.
  private static let smallestStep: Float = 1e-7

  /// The grid of a group whose weights lie from `least` to `greatest`.
  init(least: Float, greatest: Float, bits: Int) {
    // With one bit there is no grid to place: the codes stand for the two ends.
    if bits == 1 {
      scale = max(greatest - least, Self.smallestStep)
      bias = least
      return
    }
    let isNegativeEnd = abs(least) > abs(greatest)
    let step = max((greatest - least) / Float((1 << bits) - 1), Self.smallestStep)
    let signed = isNegativeEnd ? step : -step
    let edge = isNegativeEnd ? least : greatest
    let code = (edge / signed).rounded(.toNearestOrEven)
    scale = code == 0 ? signed : edge / code
    bias = code == 0 ? 0 : edge
  }
}
