/// How a file packs the codes of a row, where tiles can be made of that as it is, without a byte for
/// each code in between.
package enum CodePacking: Sendable, Hashable {
  /// 1, 2, 4 or 8 bits each, one after another, the first in the lowest bits of the first byte.
  case ascending
  /// 4 bits each: of 32 codes in 16 bytes, the first half in the low bits and the second in the
  /// high ones.
  case halves

  func holds(bits: Int?) -> Bool {
    switch self {
    case .ascending: bits == 1 || bits == 2 || bits == 4 || bits == 8
    case .halves: bits == 4
    }
  }
}
