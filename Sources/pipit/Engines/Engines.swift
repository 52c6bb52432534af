import Inference
import Tokenizers

/// The one place where the executable chooses what computes.
///
/// Commands know the protocols only, so that another engine slots in here and nowhere else.
enum Engines {
  /// Test-only: the path of a script for `ScriptedEngine`, which then answers in place of a model.
  static let scriptVariable = "PIPIT_SCRIPTED_ENGINE"

  /// The engine that answers, with no model loaded yet.
  static func makeEngine() throws -> any InferenceEngine {
    if let path = environment(scriptVariable) {
      return StandInEngine(try EngineScript(path: path))
    }
    throw EngineUnavailable()
  }

  /// A model's tokenizer and template, without its weights.
  static func openText(path: String) throws -> any TextModel {
    throw EngineUnavailable()
  }

  /// A model whose logits and speed can be measured, loaded.
  static func openRaw(_ model: ModelReference) async throws -> any RawModel {
    throw EngineUnavailable()
  }

  /// Whether a scripted engine stands in, which needs no installed model.
  static var isScripted: Bool { environment(scriptVariable) != nil }
}

struct EngineUnavailable: Error, CustomStringConvertible {
  var description: String { "This build of Pipit has no engine." }
}

/// What `tokenize`, `detokenize` and `template` ask of a model.
protocol TextModel: Sendable {
  /// The ids of a text; with `matchingControl` literals of control tokens become those tokens.
  func encode(_ text: String, matchingControl: Bool) throws -> [TokenID]
  /// The bytes that ids stand for, which need not be whole characters.
  func bytes(of tokens: [TokenID]) throws -> [UInt8]
  /// The source of its chat template; ChatML when it has none.
  var templateSource: String { get }
  /// Variables that a template expects from its model, such as `bos_token`, by name.
  var templateVariables: [(name: String, value: String)] { get }
}

/// What `logits` and `bench` ask of a loaded model.
protocol RawModel: Sendable {
  var description: ModelDescription { get }
  /// Runs tokens through the model, `chunk` at a time, and hands over the logits of each position
  /// in order: one float32 for each row of the vocabulary.
  func logits(
    _ tokens: [TokenID], chunk: Int?, onPosition: (_ logits: [Float]) throws -> Void
  ) async throws
}
