import JSON
import Weights

extension ModelSettings {
  /// The rotary embedding as GGUF's `rope.*` keys, config.json's `rope_theta` and `rope_scaling`, or
  /// transformers 5's `rope_parameters` describe it.
  ///
  /// All of `headDimension` rotates where no part of it is named.
  ///
  /// - Throws: ``ModelError`` for a kind of scaling that Pipit does not know.
  func rope(headDimension: Int, defaultBase: Double = 10_000) throws -> RopeConfiguration {
    let parameters = object(json: "rope_parameters")
    let base =
      try number("rope.freq_base", "rope_theta") ?? parameters?.finiteNumber("rope_theta")
      ?? defaultBase
    guard base > 1, base <= 1e15 else {
      throw ModelError.setting(name("rope.freq_base", "rope_theta"), "\(base) is no base")
    }
    let dimensions = try rotatedDimensions(headDimension, parameters)
    guard dimensions >= 2, dimensions <= headDimension, dimensions.isMultiple(of: 2) else {
      throw ModelError.setting(
        name("rope.dimension_count", "partial_rotary_factor"),
        "\(dimensions) of \(headDimension) dimensions cannot rotate in pairs")
    }
    return RopeConfiguration(
      base: base, dimensions: dimensions,
      scaling: try ropeScaling(parameters ?? object(json: "rope_scaling")))
  }

  private func rotatedDimensions(_ headDimension: Int, _ parameters: JSONValue?) throws -> Int {
    if let count = try integer("rope.dimension_count", nil) { return count }
    let factor =
      try number(nil, "partial_rotary_factor")
      ?? parameters?.finiteNumber("partial_rotary_factor") ?? 1
    guard factor > 0, factor <= 1 else {
      throw ModelError.setting("partial_rotary_factor", "\(factor) is not within 0 to 1")
    }
    return Int((Double(headDimension) * factor).rounded(.toNearestOrEven))
  }

  private func ropeScaling(_ json: JSONValue?) throws -> RopeScaling {
    let kind =
      try string(gguf: "rope.scaling.type") ?? json?["rope_type"]?.stringValue
      ?? json?["type"]?.stringValue
    func number(_ gguf: String?, _ key: String, or fallback: Double? = nil) throws -> Double {
      let found =
        try gguf.flatMap { try self.number("rope.scaling.\($0)", nil) }
        ?? json?.finiteNumber(key) ?? fallback
      guard let found else {
        throw ModelError.missingSetting(name(gguf.map { "rope.scaling.\($0)" }, key))
      }
      guard found > 0, found < 1e9 else {
        throw ModelError.setting(
          name(gguf.map { "rope.scaling.\($0)" }, key), "\(found) is no scaling factor")
      }
      return found
    }
    switch kind {
    case nil, "none", "default", "mrope":
      return .none
    case "linear":
      return .linear(factor: try number("factor", "factor"))
    case "llama3":
      return .llama3(
        .init(
          factor: try number(nil, "factor"),
          lowFrequencyFactor: try number(nil, "low_freq_factor", or: 1),
          highFrequencyFactor: try number(nil, "high_freq_factor", or: 4),
          originalContext: try number(nil, "original_max_position_embeddings", or: 8192)))
    case "yarn":
      let factor = try number("factor", "factor")
      return .yarn(
        .init(
          factor: factor,
          originalContext: try number(
            "original_context_length", "original_max_position_embeddings"),
          betaFast: try number("yarn_beta_fast", "beta_fast", or: 32),
          betaSlow: try number("yarn_beta_slow", "beta_slow", or: 1),
          attentionFactor: try json?.finiteNumber("attention_factor")))
    case let kind?:
      throw ModelError.setting(
        name("rope.scaling.type", "rope_type"), "the scaling \"\(kind)\" is not known")
    }
  }
}
