/// How the weights of a layer are kept.
package enum WeightForm: Sendable, Hashable {
  /// As numbers of the model's type.
  case plain
  /// MLX's affine codes: w = s·u + b, u of `bits`, one s and b for `group` inputs of a row.
  case affine(bits: Int, group: Int)
  /// Codes of two bits that only take −d, 0 and +d, as the weights themselves do.
  case ternary(group: Int)

  /// The widths that codes may have.
  package static let widths: Set = [1, 2, 3, 4, 5, 6, 8]
  /// The numbers of inputs that may share a scale.
  package static let groups: Set = [32, 64, 128]

  /// Bits of a code and inputs of a group; nil if there are no codes.
  package var packing: (bits: Int, group: Int)? {
    switch self {
    case .plain: nil
    case .affine(let bits, let group): (bits, group)
    case .ternary(let group): (2, group)
    }
  }
}
