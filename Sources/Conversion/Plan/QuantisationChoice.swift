/// How a model is to be quantised: one form for all layers, and others for some.
package struct QuantisationChoice: Sendable, Hashable {
  /// The form of layers that no override names.
  package var form: WeightForm
  /// Forms for layers by their paths; of several that match, the last counts.
  package var overrides: [Override]

  package struct Override: Sendable, Hashable {
    package let pattern: PathPattern
    package let form: WeightForm

    package init(pattern: PathPattern, form: WeightForm) {
      self.pattern = pattern
      self.form = form
    }
  }

  package init(form: WeightForm, overrides: [Override] = []) {
    self.form = form
    self.overrides = overrides
  }

  /// mlx-lm's own choice.
  package static let usual = QuantisationChoice(form: .affine(bits: 4, group: 64))
}
