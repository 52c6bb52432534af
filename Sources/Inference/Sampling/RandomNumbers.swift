/// The random numbers of a reply: the n-th is a function of the seed and n alone.
///
/// So a token draws the same number whether it is generated one at a time, drafted and verified,
/// or generated again. The generator is SplitMix64 (Steele, Lea and Flood, 2014), whose state
/// after n steps is a plain sum; the seed is mixed first, so that neighbouring seeds have
/// unrelated streams.
package struct RandomNumbers: Sendable, Hashable {
  private let start: UInt64

  package init(seed: UInt64) {
    start = Self.mixed(seed &+ Self.increment)
  }

  /// The n-th number: 64 random bits.
  package func bits(at n: Int) -> UInt64 {
    Self.mixed(start &+ (UInt64(truncatingIfNeeded: n) &+ 1) &* Self.increment)
  }

  /// The n-th number in 0 ..< 1, a multiple of 2⁻⁵³.
  package func unit(at n: Int) -> Double {
    Double(bits(at: n) >> 11) * 0x1p-53
  }

  private static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
