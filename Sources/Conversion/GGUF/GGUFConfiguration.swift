import JSON
import Kernels
import Transformers
import Weights

/// config.json as a checkpoint of the same model would have it, from a GGUF file's metadata.
struct GGUFConfiguration {
  private let file: GGUFFile
  private let exchange: TensorExchange
  private let numberType: ScaleType
  private let model: ModelConfiguration
  private let architecture: String

  init(_ file: GGUFFile, _ exchange: TensorExchange, numberType: ScaleType) throws {
    self.file = file
    self.exchange = exchange
    self.numberType = numberType
    model = exchange.configuration
    architecture = exchange.architecture.name
  }

  /// - Throws: ``ConversionError/unsupported(_:_:)`` for what a checkpoint of the family cannot say.
  func json() throws -> JSONValue {
    switch architecture {
    case "llama": .members(try common("llama", "LlamaForCausalLM") + rope())
    case "qwen2": .members(try common("qwen2", "Qwen2ForCausalLM") + rope())
    case "qwen3": .members(try common("qwen3", "Qwen3ForCausalLM") + rope())
    case "qwen3_moe":
      .members(try common("qwen3_moe", "Qwen3MoeForCausalLM") + rope() + experts())
    case "qwen3_5", "qwen3_5_moe": try hybrid()
    case "gemma3": .members(try common("gemma3_text", "Gemma3ForCausalLM") + gemma())
    default: throw ConversionError.unsupported(.architecture, architecture)
    }
  }

  private func common(_ type: String, _ name: String) throws -> [(String, JSONValue)] {
    let attention = model.attention
    var members: [(String, JSONValue)] = [
      ("architectures", [.string(name)]), ("model_type", .string(type)),
      ("hidden_size", .integer(model.hiddenSize)),
      ("num_hidden_layers", .integer(model.layers.count)),
      ("num_attention_heads", .integer(attention.heads)),
      ("num_key_value_heads", .integer(attention.keyValueHeads)),
      ("head_dim", .integer(attention.headDimension)),
      ("vocab_size", .integer(model.vocabularySize)),
      ("max_position_embeddings", .integer(model.contextLength)),
      ("rms_norm_eps", .number(shortest(model.normEpsilon))),
      ("tie_word_embeddings", .bool(exchange.isTied)),
      ("torch_dtype", .string(numberType.name)),
    ]
    if architecture != "gemma3" { members.append(("hidden_act", "silu")) }
    let inner = try innerSizes()
    if let inner { members.append(("intermediate_size", .integer(inner))) }
    if type == "llama" {
      members.append(
        ("attention_bias", .bool(exchange.tensors.contains { $0.name.hasSuffix("q_proj.bias") })))
    }
    for (key, role) in [("bos_token_id", "bos_token_id"), ("eos_token_id", "eos_token_id")] {
      if let id = try file.metadata.integer("tokenizer.ggml.\(role)") {
        members.append((key, .integer(id)))
      }
    }
    return members
  }

  /// The inner size of the feed-forwards, nil for experts.
  private func innerSizes() throws -> Int? {
    var sizes: Set<Int> = []
    for layer in model.layers {
      if case .dense(let size) = layer.feedForward { sizes.insert(size) }
    }
    guard sizes.count <= 1 else {
      throw ConversionError.unsupported(
        .architecture, "\(architecture) with feed-forwards of \(sizes.count) sizes")
    }
    return sizes.first
  }

  private func experts() -> [(String, JSONValue)] {
    guard case .experts(let shape)? = model.layers.first?.feedForward else { return [] }
    var members: [(String, JSONValue)] = [
      ("num_experts", .integer(shape.count)), ("num_experts_per_tok", .integer(shape.active)),
      ("moe_intermediate_size", .integer(shape.size)),
      ("intermediate_size", .integer(shape.size)),
      ("norm_topk_prob", .bool(shape.isNormalised)), ("decoder_sparse_step", 1),
      ("mlp_only_layers", []),
    ]
    if let shared = shape.sharedSize {
      members.append(("shared_expert_intermediate_size", .integer(shared)))
    }
    return members
  }

  private func rope() throws -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("rope_theta", .number(model.rope.base))]
    if let scaling = try scaling() { members.append(("rope_scaling", scaling)) }
    return members
  }

  private func scaling() throws -> JSONValue? {
    switch model.rope.scaling {
    case .none: return nil
    case .linear(let factor):
      return ["rope_type": "linear", "type": "linear", "factor": .number(factor)]
    case .yarn(let yarn):
      return [
        "rope_type": "yarn", "type": "yarn", "factor": .number(yarn.factor),
        "original_max_position_embeddings": .integer(Int(yarn.originalContext)),
        "beta_fast": .number(yarn.betaFast), "beta_slow": .number(yarn.betaSlow),
      ]
    case .llama3(let parameters): return json(parameters)
    case .divisors(let divisors):
      guard
        let found = RopeScaling.Llama3(
          divisors: divisors, base: model.rope.base, dimensions: model.rope.dimensions)
      else {
        throw ConversionError.unsupported(
          .rotation, "with divisors of the frequencies by no rule that Pipit knows")
      }
      return json(found)
    }
  }

  private func json(_ scaling: RopeScaling.Llama3) -> JSONValue {
    [
      "rope_type": "llama3", "factor": .number(scaling.factor),
      "low_freq_factor": .number(scaling.lowFrequencyFactor),
      "high_freq_factor": .number(scaling.highFrequencyFactor),
      "original_max_position_embeddings": .integer(Int(scaling.originalContext)),
    ]
  }

  private func gemma() throws -> [(String, JSONValue)] {
    var windows: Set<Int> = []
    var isLocal: [Bool] = []
    for layer in model.layers {
      guard case .attention(let window) = layer.mixer else { continue }
      if let window { windows.insert(window) }
      isLocal.append(window != nil)
    }
    let pattern = (isLocal.firstIndex(of: false) ?? isLocal.count) + 1
    let follows = isLocal.indices.allSatisfy { isLocal[$0] == (($0 + 1) % pattern != 0) }
    guard windows.count <= 1, follows else {
      throw ConversionError.unsupported(.architecture, "gemma3 with windows in no regular order")
    }
    let scale = Double(model.attention.scale)
    return [
      ("rope_theta", .number(model.rope.base)),
      ("rope_local_base_freq", .number(model.localRope?.base ?? 10_000)),
      ("rope_scaling", try scaling() ?? .null),
      ("sliding_window", .integer(windows.first ?? model.contextLength)),
      ("sliding_window_pattern", .integer(pattern)),
      ("query_pre_attn_scalar", .number((1 / (scale * scale)).rounded())),
      ("hidden_activation", "gelu_pytorch_tanh"), ("attention_bias", false),
    ]
  }

  /// Qwen3.5 keeps all of it one level down.
  private func hybrid() throws -> JSONValue {
    guard let shape = model.deltaNet else {
      throw ConversionError.unsupported(.architecture, architecture)
    }
    let isAttention = model.layers.map { layer in
      if case .attention = layer.mixer { true } else { false }
    }
    let interval = (isAttention.firstIndex(of: true) ?? isAttention.count) + 1
    guard isAttention.indices.allSatisfy({ isAttention[$0] == (($0 + 1) % interval == 0) }) else {
      throw ConversionError.unsupported(
        .architecture, "\(architecture) with attention in no regular order")
    }
    guard model.rope.scaling == .none else {
      throw ConversionError.unsupported(.rotation, "scaled in \(architecture)")
    }
    let isMixture = architecture.hasSuffix("moe")
    let name = isMixture ? "Qwen3_5MoeForConditionalGeneration" : "Qwen3_5ForConditionalGeneration"
    let sections = try file.metadata.integers(
      "\(isMixture ? "qwen35moe" : "qwen35").rope.dimension_sections")
    let part = Double(model.rope.dimensions) / Double(model.attention.headDimension)
    var rope: [(String, JSONValue)] = [
      ("rope_type", "default"), ("rope_theta", .number(model.rope.base)),
      ("partial_rotary_factor", .number(part)),
    ]
    if let sections {
      rope.append(("mrope_interleaved", true))
      rope.append(("mrope_section", .array(sections.prefix(3).map { .integer($0) })))
    }
    var text = try common("\(architecture)_text", name) + experts()
    text.removeAll { $0.0 == "architectures" || $0.0 == "torch_dtype" }
    text += [
      ("dtype", .string(numberType.name)), ("rope_parameters", .members(rope)),
      ("full_attention_interval", .integer(interval)),
      (
        "layer_types",
        .array(isAttention.map { $0 ? "full_attention" : "linear_attention" })
      ),
      ("attention_bias", false), ("attn_output_gate", true),
      ("linear_conv_kernel_dim", .integer(DeltaNetShape.taps)),
      ("linear_num_key_heads", .integer(shape.keyHeads)),
      ("linear_num_value_heads", .integer(shape.valueHeads)),
      ("linear_key_head_dim", .integer(shape.keyDimension)),
      ("linear_value_head_dim", .integer(shape.valueDimension)),
      ("mamba_ssm_dtype", "float32"),
    ]
    var members: [(String, JSONValue)] = [
      ("architectures", [.string(name)]), ("model_type", .string(architecture)),
      ("tie_word_embeddings", .bool(exchange.isTied)), ("text_config", .members(text)),
    ]
    if let end = text.first(where: { $0.0 == "eos_token_id" }) { members.append(end) }
    return .members(members)
  }

  /// The shortest decimal that is this float32: 1e-06, not 9.99999997475e-07.
  private func shortest(_ value: Float) -> Double { Double(value.description) ?? Double(value) }
}
