import JSON
import TestSupport
import Testing
import Transformers
import Weights

/// Names of tensors that stand for one place in a model.
@Suite struct TensorSpellingTests {
  private func plan(_ names: [String]) throws -> ModelPlan {
    var builder = SafetensorsBuilder()
    for name in names { builder.addFloats(name, [1, 64], Array(repeating: 0, count: 64)) }
    let config = try JSONReader.read(
      Array(
        """
        {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 1, "intermediate_size": 64,
         "num_attention_heads": 1, "num_key_value_heads": 1, "rms_norm_eps": 1e-5,
         "max_position_embeddings": 128, "vocab_size": 1, "rope_theta": 10000}
        """.utf8))
    let checkpoint = try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: builder.bytes())], config: config)
    return try ModelPlan(checkpoint, settings: ModelSettings(configuration: config))
  }

  /// Which of the two would be taken is nobody's guess.
  @Test(arguments: [
    ["language_model.model.norm.weight", "model.norm.weight"],
    ["model.norm.weight", "model.language_model.norm.weight"],
  ]) func twoSpellingsOfOneNameAreRefused(names: [String]) throws {
    let error = #expect(throws: ModelError.sameTensor(names[0], names[1])) { try plan(names) }
    #expect(try #require(error).description.contains(names[1]))
  }

  @Test func oneSpellingIsFound() {
    #expect(throws: ModelError.missingTensor("model.layers.0.self_attn.q_proj.weight")) {
      try plan(["language_model.model.embed_tokens.weight"])
    }
  }
}
