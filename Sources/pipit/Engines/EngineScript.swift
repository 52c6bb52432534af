import FoundationEssentials
import Inference

/// Test-only: what an engine without a model is to do, as a JSON file.
struct EngineScript: Codable, Sendable {
  /// The replies, one for each turn; the last one is repeated.
  var replies: [Reply]
  /// The most tokens of prompt and reply (4,096); a token is one byte of UTF-8.
  var context: Int?
  var thinking: ThinkingKind?
  /// Milliseconds for each byte of the reply, and for each 64 of the prompt.
  var tokenDelay: Int?
  var prefillDelay: Int?
  /// How loading fails: `memory` or `file`; for the model of that name only, if there is one.
  var loadFailure: String?
  var failingModel: String?

  struct Reply: Codable, Sendable {
    /// What it thinks before it answers.
    var reasoning: String?
    /// The answer; nil repeats what was fed and not reused.
    var answer: String?
    /// How it ends.
    var stop: StopReason?
    /// Whether it fails after its text.
    var fails: Bool?
  }

  init(path: String) throws {
    self = try JSONDecoder().decode(
      EngineScript.self, from: try Data(contentsOf: URL(filePath: path)))
  }
}
