/// A layer that was to be quantised and cannot be, because a group does not divide its rows.
package struct PassedOverLayer: Sendable, Hashable {
  /// Its path in the model.
  package let module: String
  /// Inputs of a row.
  package let columns: Int
  /// Bits of each of its numbers.
  package let bits: Int
}

extension [PassedOverLayer] {
  /// The largest group that divides the rows of all of them; nil where none does.
  package var fittingGroup: Int? {
    WeightForm.groups.sorted().last { group in allSatisfy { $0.columns.isMultiple(of: group) } }
  }
}
