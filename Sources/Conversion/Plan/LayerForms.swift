import JSON
import Transformers

/// The form of each layer by the rules that mlx-lm goes by, and how config.json says so.
struct LayerForms {
  private var named: [String: WeightForm] = [:]
  private let choice: QuantisationChoice
  /// The value of `quantization`.
  let configuration: JSONValue

  /// - Throws: ``ConversionError/unmatched(pattern:example:)`` for an override that is of no use, and
  ///   ``ConversionError/partialGroup(tensor:columns:group:)``.
  init(_ exchange: TensorExchange, choice: QuantisationChoice) throws(ConversionError) {
    self.choice = choice
    let layers = exchange.tensors.filter(\.isQuantisable)
    var members: [(String, JSONValue)] = []
    for override in choice.overrides
    where !layers.contains(where: { override.pattern.matches($0.module) }) {
      throw .unmatched(
        pattern: override.pattern.text, example: layers.last?.module ?? "lm_head")
    }
    for layer in layers {
      let router = Self.routerForm(layer, choice)
      guard let form = Self.override(layer, choice) ?? router else { continue }
      if let (bits, group) = form.packing {
        let columns = layer.shape.last ?? 0
        guard columns.isMultiple(of: group) else {
          throw .partialGroup(tensor: layer.name, columns: columns, group: group)
        }
        members.append(
          (layer.module, Self.json(bits: bits, group: group, isModeGiven: form != router)))
      }
      named[layer.module] = form
    }
    if let (bits, group) = choice.form.packing {
      let all = Self.json(bits: bits, group: group, isModeGiven: true).objectValue ?? JSONObject()
      configuration = .members(Array(all) + members)
    } else {
      configuration = members.isEmpty ? .null : .members(members)
    }
  }

  /// A layer's form; plain where its rows are no whole number of groups.
  func form(of tensor: ExchangeTensor) -> WeightForm {
    guard tensor.isQuantisable else { return .plain }
    if let form = named[tensor.module] { return form }
    guard let group = choice.form.packing?.group, tensor.shape.last?.isMultiple(of: group) == true
    else { return .plain }
    return choice.form
  }

  /// Whether a layer would have got the choice's form, but its rows are no whole number of groups.
  func isPassedOver(_ tensor: ExchangeTensor) -> Bool {
    tensor.isQuantisable && named[tensor.module] == nil && choice.form.packing != nil
      && form(of: tensor) == .plain
  }

  private static func override(
    _ layer: ExchangeTensor, _ choice: QuantisationChoice
  ) -> WeightForm? {
    choice.overrides.last { $0.pattern.matches(layer.module) }?.form
  }

  /// The form of what decides between experts, by small differences: mlx-lm never takes fewer bits.
  private static func routerForm(
    _ layer: ExchangeTensor, _ choice: QuantisationChoice
  ) -> WeightForm? {
    guard let group = choice.form.packing?.group,
      layer.module.hasSuffix("mlp.gate") || layer.module.hasSuffix("shared_expert_gate"),
      let columns = layer.shape.last, columns.isMultiple(of: group)
    else { return nil }
    return .affine(bits: 8, group: columns.isMultiple(of: 64) ? 64 : group)
  }

  /// mlx-lm leaves the mode out where a model class and not a user has chosen.
  private static func json(bits: Int, group: Int, isModeGiven: Bool) -> JSONValue {
    let sizes: [(String, JSONValue)] = [("group_size", .integer(group)), ("bits", .integer(bits))]
    return .members(isModeGiven ? sizes + [("mode", "affine")] : sizes)
  }
}
