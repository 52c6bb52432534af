/// Sizes shared by every instruction set.
///
/// Inlinable, because a call inside a kernel would spill its registers.
@usableFromInline
package enum TileGeometry {
  /// Rows of a tile: one lane each.
  @inlinable package static var rows: Int { 16 }
  /// Inputs of a block of codes: eight steps of four.
  @inlinable package static var blockInputs: Int { 32 }
  /// Tokens that lie together in quantised activations of more than one token.
  @inlinable package static var tokenLanes: Int { 8 }
  /// Below this a group of activations is all zero (N1): 2⁻¹⁰⁰.
  @inlinable package static var smallestPeakBits: UInt32 { 27 << 23 }
  /// 1.5·2²³: adding and subtracting it rounds to the nearest even integer.
  @inlinable package static var roundingShift: Float { 12_582_912 }

  /// Bytes of scratch a kernel needs to expand one tile for products of several tokens.
  @inlinable package static func panelByteCount(columns: Int, group: Int) -> Int {
    columns &* 16 &+ 2 &* (columns / group) &* 64
  }
}
