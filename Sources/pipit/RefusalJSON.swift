import Inference
import JSON

extension JSONValue {
  /// What a refusal is on standard output where an object was asked for instead of text; nil for
  /// errors that are none.
  static func refusal(_ error: any Error, form: OutputForm) -> JSONValue? {
    guard let refusal = error as? MemoryRefusal else { return nil }
    let figures = JSONValue.members(figures(refusal) + [("message", .string(refusal.description))])
    switch form {
    case .text, .csv: return nil
    case .json: return .members([("refusal", figures)])
    case .ndjson: return .members([("event", .string("refusal")), ("refusal", figures)])
    }
  }

  private static func figures(_ refusal: MemoryRefusal) -> [(String, JSONValue)] {
    switch refusal {
    case .context(let shortage):
      [
        ("kind", .string("context")), ("prompt_tokens", .integer(shortage.promptTokens)),
        ("reply_tokens", .integer(shortage.replyTokens)),
        ("context_length", .integer(shortage.contextLength)),
        ("model_context_length", .integer(shortage.modelContextLength)),
      ]
    case .modelContext(let asked, let length):
      [
        ("kind", .string("model_context")), ("asked_context_length", .integer(asked)),
        ("model_context_length", .integer(length)),
      ]
    case .memory(let shortage):
      [
        ("kind", .string("memory")), ("needed_bytes", .integer(shortage.needed)),
        ("available_bytes", .integer(shortage.available)), ("limit", .string(shortage.limit)),
        ("context_length", .integer(shortage.contextLength)),
        ("largest_context", .optional(shortage.largestContext)),
        ("smaller_model", .optional(shortage.smallerModel)),
      ]
    case .addressSpace(let shortage):
      [
        ("kind", .string("address_space")), ("needed_bytes", .integer(shortage.needed)),
        ("available_bytes", .integer(shortage.available)),
        ("limit_bytes", .integer(shortage.limit)),
      ]
    case .deaths(let deaths):
      [
        ("kind", .string("deaths")), ("model", .string(deaths.model)),
        ("path", .string(deaths.path)), ("count", .integer(deaths.count)),
      ]
    }
  }
}
