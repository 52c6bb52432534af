/// What each tensor of a family is called in each kind of file.
///
/// `{layer}` stands for the layer's index. MLX and Hugging Face names are in canonical form, with any
/// `language_model.` taken out (FACTS §7c: three spellings of one name are in use).
struct TensorNames: Sendable {
  private var names: [TensorRole: Name]

  struct Name: Sendable {
    let gguf: String
    let canonical: String
  }

  init(_ names: [TensorRole: (gguf: String, canonical: String)]) {
    self.names = names.mapValues { Name(gguf: $0.gguf, canonical: $0.canonical) }
  }

  /// The same names with others added or replaced.
  func adding(_ others: [TensorRole: (gguf: String, canonical: String)]) -> TensorNames {
    var result = self
    for (role, name) in others {
      result.names[role] = Name(gguf: name.gguf, canonical: name.canonical)
    }
    return result
  }

  subscript(role: TensorRole) -> Name? { names[role] }

  /// Names shared by every family built like Llama.
  static let llamaStyle = TensorNames([
    .embedding: ("token_embd.weight", "model.embed_tokens.weight"),
    .output: ("output.weight", "lm_head.weight"),
    .outputNorm: ("output_norm.weight", "model.norm.weight"),
    .mixerNorm: ("blk.{layer}.attn_norm.weight", "model.layers.{layer}.input_layernorm.weight"),
    .query: ("blk.{layer}.attn_q.weight", "model.layers.{layer}.self_attn.q_proj.weight"),
    .key: ("blk.{layer}.attn_k.weight", "model.layers.{layer}.self_attn.k_proj.weight"),
    .value: ("blk.{layer}.attn_v.weight", "model.layers.{layer}.self_attn.v_proj.weight"),
    .attentionOutput: (
      "blk.{layer}.attn_output.weight", "model.layers.{layer}.self_attn.o_proj.weight"
    ),
    .queryBias: ("blk.{layer}.attn_q.bias", "model.layers.{layer}.self_attn.q_proj.bias"),
    .keyBias: ("blk.{layer}.attn_k.bias", "model.layers.{layer}.self_attn.k_proj.bias"),
    .valueBias: ("blk.{layer}.attn_v.bias", "model.layers.{layer}.self_attn.v_proj.bias"),
    .feedForwardNorm: (
      "blk.{layer}.ffn_norm.weight", "model.layers.{layer}.post_attention_layernorm.weight"
    ),
    .gate: ("blk.{layer}.ffn_gate.weight", "model.layers.{layer}.mlp.gate_proj.weight"),
    .up: ("blk.{layer}.ffn_up.weight", "model.layers.{layer}.mlp.up_proj.weight"),
    .down: ("blk.{layer}.ffn_down.weight", "model.layers.{layer}.mlp.down_proj.weight"),
  ])
}

/// What a tensor is for.
enum TensorRole: String, Sendable, Hashable {
  case embedding, output, outputNorm
  case mixerNorm, postMixerNorm, feedForwardNorm, postFeedForwardNorm
  case query, key, value, attentionOutput
  /// The gate half of a gated query projection; it has no name of its own in files.
  case outputGate
  case queryBias, keyBias, valueBias
  case queryNorm, keyNorm
  case gate, up, down
  case router, sharedExpertGate, sharedGate, sharedUp, sharedDown
  /// All experts' matrices in one tensor, one below the other.
  case stackedGate, stackedUp, stackedDown
  /// Gate and up of every expert in one tensor.
  case stackedGateUp
  /// What goes with it where it has no name in common with the others.
  case stackedDownOfGateUp
  /// One expert's matrices.
  case expertGate, expertUp, expertDown
  case deltaNetInput, deltaNetGate, deltaNetBeta, deltaNetAlpha
  case deltaNetConvolution, deltaNetDecay, deltaNetTimeBias, deltaNetNorm, deltaNetOutput
  case ropeDivisors
}
