import Conversion

/// The flags of `convert`.
struct ConvertOptions: Sendable {
  /// `--bits`.
  var bits: Int?
  /// `--group`.
  var group: Int?
  /// `--ternary`: the weights are −d, 0 and +d already.
  var isTernary = false
  /// `--override`, in order.
  var overrides: [LayerOverride] = []
  /// `--text`: a text to measure the perplexity of, before and after.
  var text: String?

  /// A layer's pattern, and its bits and group; no bits leave the layer as it is.
  struct LayerOverride: Sendable {
    let pattern: String
    let bits: Int?
    let group: Int?
  }
}

extension ConvertOptions.LayerOverride {
  /// Reads `PATTERN=BITS`, `PATTERN=BITS:GROUP` or `PATTERN=none`.
  init(_ text: String) throws(ValueProblem) {
    guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
      throw .notAnOverride
    }
    pattern = String(text[..<equals])
    let form = text[text.index(after: equals)...]
    if form == "none" {
      bits = nil
      group = nil
      return
    }
    let parts = form.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let width = parts.first.flatMap({ Int($0) }),
      WeightForm.widths.contains(width)
    else { throw .notAnOverride }
    bits = width
    guard parts.count == 2 else {
      group = nil
      return
    }
    guard let size = Int(parts[1]), WeightForm.groups.contains(size) else { throw .notAnOverride }
    group = size
  }
}

extension ConvertOptions {
  /// What these flags ask for; mlx-lm's 4 bits in groups of 64 where they say nothing, and groups of
  /// 128 for ternary weights, which is what such models are trained with.
  var choice: QuantisationChoice {
    let group = group ?? (isTernary ? 128 : 64)
    let form: WeightForm =
      isTernary ? .ternary(group: group) : .affine(bits: bits ?? 4, group: group)
    return QuantisationChoice(
      form: form,
      overrides: overrides.map { override in
        QuantisationChoice.Override(
          pattern: PathPattern(override.pattern),
          form: override.bits.map { .affine(bits: $0, group: override.group ?? group) } ?? .plain)
      })
  }
}

/// The values of `--bits`.
enum CodeWidth: String, Sendable, CaseIterable {
  case one = "1"
  case two = "2"
  case three = "3"
  case four = "4"
  case five = "5"
  case six = "6"
  case eight = "8"
}

/// The values of `--group`.
enum GroupSize: String, Sendable, CaseIterable {
  case small = "32"
  case middle = "64"
  case large = "128"
}
