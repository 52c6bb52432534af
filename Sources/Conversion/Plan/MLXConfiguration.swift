import JSON

/// config.json as mlx-lm writes it.
enum MLXConfiguration {
  /// A checkpoint's configuration without what is left out of the converted model, and with what
  /// mlx-lm would otherwise take for granted.
  static func converted(
    _ original: JSONValue, generation: JSONValue?, isTied: Bool
  ) -> JSONValue {
    var object = original.objectValue ?? JSONObject()
    for key in ["_name_or_path", "vision_config", "quantization", "quantization_config"] {
      object[key] = nil
    }
    if let ends = generation?["eos_token_id"], ends != .integer(0) { object["eos_token_id"] = ends }
    if var text = object["text_config"]?.objectValue {
      text["quantization_config"] = nil
      complete(&text, isTied: isTied)
      object["text_config"] = .object(text)
    } else {
      complete(&object, isTied: isTied)
      // mlx-lm has no model of this name alone.
      for family in ["qwen3_5", "qwen3_5_moe"]
      where object["model_type"] == .string(family + "_text") {
        object["model_type"] = .string(family)
      }
    }
    return .object(object)
  }

  /// With what says how the weights are quantised, keys in order.
  static func quantised(_ configuration: JSONValue, by quantisation: JSONValue) -> JSONValue {
    var object = configuration.objectValue ?? JSONObject()
    if quantisation != .null {
      object["quantization"] = quantisation
      object["quantization_config"] = quantisation
    }
    return .members(Array(object).sorted { $0.0 < $1.0 })
  }

  /// Writes down what a file leaves to defaults that differ between programs.
  private static func complete(_ text: inout JSONObject, isTied: Bool) {
    let type = text["model_type"]?.stringValue ?? ""
    if text["tie_word_embeddings"]?.boolValue == nil, !type.hasPrefix("gemma3") {
      text["tie_word_embeddings"] = .bool(isTied)
    }
    // mlx-lm's llama and qwen2 do not know the form that Transformers 5 writes.
    guard ["llama", "qwen2"].contains(type), let rope = text["rope_parameters"] else { return }
    if text["rope_theta"]?.doubleValue == nil { text["rope_theta"] = rope["rope_theta"] }
    let scaling = rope["rope_type"]?.stringValue ?? "default"
    if text["rope_scaling"]?.objectValue == nil, scaling != "default" {
      text["rope_scaling"] = rope
    }
  }
}
