import Inference
import Tokenizers

/// Prompts of random tokens, the same in every run of the program.
struct PromptMaker: Sendable {
  /// Tokens that are there already and tokens that are new.
  struct Prompt: Sendable {
    var depth: [TokenID]
    var fresh: [TokenID]

    var onlyDepth: Prompt { Prompt(depth: [], fresh: depth) }
  }

  private let vocabulary: Int
  private let depth: [TokenID]

  init(model: ModelDescription, depth: Int) {
    self.init(vocabulary: model.vocabularyCount, depth: depth)
  }

  init(vocabulary: Int, depth: Int) {
    self.vocabulary = max(vocabulary, 1)
    self.depth = Self.tokens(depth, seed: 0, vocabulary: max(vocabulary, 1))
  }

  /// A prompt that begins like no other, so that nothing beyond the depth is reused.
  func make(_ number: Int, _ count: Int) -> Prompt {
    Prompt(
      depth: depth,
      fresh: Self.tokens(
        count, seed: UInt64(bitPattern: Int64(number)) &+ 1, vocabulary: vocabulary))
  }

  /// SplitMix64.
  private static func tokens(_ count: Int, seed: UInt64, vocabulary: Int) -> [TokenID] {
    var state = seed &* 0xD134_2543_DE82_EF95
    return (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      return TokenID(truncatingIfNeeded: bits % UInt64(vocabulary))
    }
  }
}
