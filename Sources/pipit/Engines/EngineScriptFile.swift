import FoundationEssentials
import Inference
import Tokenizers

/// Test-only: an `EngineScript` as a JSON file, so that the built binary can be tested without a
/// model.
struct EngineScriptFile: Decodable {
  /// The replies, each a list of steps; the last one is repeated.
  var replies: [[Step]]
  var context: Int?
  var thinking: ThinkingKind?
  /// Milliseconds for each phase of a load, and for each 64 tokens of the prompt.
  var loadDelay: Int?
  var prefillDelay: Int?
  /// How loading fails, by the model's name: `memory` or `file`.
  var loadFailures: [String: String]?
  /// Where each load and prompt is noted, a JSON object a line.
  var record: String?

  /// A text, or an object of one key: `delay`, `stop` or `fail`.
  enum Step: Decodable {
    case text(String)
    case delay(Int)
    case stop(StopReason)
    case fail

    private enum CodingKeys: CodingKey { case delay, stop, fail }

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        self = .text(text)
        return
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let delay = try container.decodeIfPresent(Int.self, forKey: .delay) {
        self = .delay(delay)
      } else if let reason = try container.decodeIfPresent(StopReason.self, forKey: .stop) {
        self = .stop(reason)
      } else {
        self = .fail
      }
    }
  }

  static func makeEngine(path: String) throws -> any InferenceEngine {
    let file = try JSONDecoder().decode(
      EngineScriptFile.self, from: try Data(contentsOf: URL(filePath: path)))
    let engine = ScriptedEngine(file.script)
    guard let record = file.record else { return engine }
    return RecordingEngine(engine, path: record)
  }

  private var script: EngineScript {
    EngineScript(
      replies: replies.map { $0.map(\.step) }, contextLength: context ?? 4096,
      thinking: thinking ?? .none, loadDelay: .milliseconds(loadDelay ?? 0),
      loadFailures: (loadFailures ?? [:]).mapValues(Self.failure),
      prefillDelay: .milliseconds(prefillDelay ?? 0))
  }

  private static func failure(_ name: String) -> any Error {
    if name == "memory" {
      return MemoryRefusal.memory(
        MemoryShortage(
          needed: 9_000_000_000, available: 1_000_000_000, limit: "MemAvailable",
          contextLength: 4096, largestContext: 512))
    }
    return TokenizerError.unknownModel(name)
  }
}

extension EngineScriptFile.Step {
  fileprivate var step: EngineScript.Step {
    switch self {
    case .text(let text): .text(text)
    case .delay(let milliseconds): .delay(.milliseconds(milliseconds))
    case .stop(let reason): .stop(reason)
    case .fail: .failure(EngineError.nonFiniteLogit(token: 0, step: 0))
    }
  }
}
