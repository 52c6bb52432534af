import Inference
import JSON

extension ChatSettings {
  /// The settings of a document; what is missing or makes no sense is as in a new conversation.
  init(json: JSONObject) {
    self.init()
    system = json["system"]?.stringValue
    isThinking = json["think"]?.boolValue ?? false
    thinkingBudget = json["think_budget"]?.intValue.flatMap { $0 >= 0 ? $0 : nil }
    maximumTokens = json["max_tokens"]?.intValue.flatMap { $0 > 0 ? $0 : nil }
    stopStrings = json["stop"]?.arrayValue?.compactMap(\.stringValue).filter { !$0.isEmpty } ?? []
    seed = json["seed"]?.unsignedValue
    overflow = json["overflow"]?.stringValue.flatMap { Overflow(rawValue: $0) } ?? .refuse
    if let sampling = json["sampling"]?.objectValue {
      self.sampling = SamplingOverrides(json: sampling)
    }
  }

  /// As members of a document; those of `old` that are unknown stay.
  func json(over old: JSONObject) -> JSONObject {
    let sampling = sampling.json(over: old["sampling"]?.objectValue ?? JSONObject())
    return JSONObject(
      Array(old) + [
        ("system", .optional(system)), ("think", .bool(isThinking)),
        ("think_budget", .optional(thinkingBudget)), ("max_tokens", .optional(maximumTokens)),
        ("stop", .array(stopStrings.map { .string($0) })),
        ("seed", seed.map { .unsigned($0) } ?? .null),
        ("overflow", .string(overflow.rawValue)), ("sampling", .object(sampling)),
      ])
  }
}

extension SamplingOverrides {
  fileprivate init(json: JSONObject) {
    func number(_ key: CodingKeys) -> Double? {
      json[key.rawValue]?.doubleValue.flatMap { $0.isFinite ? $0 : nil }
    }
    self.init(
      temperature: number(.temperature).flatMap { $0 >= 0 ? $0 : nil },
      topK: json[CodingKeys.topK.rawValue]?.intValue.flatMap { $0 >= 0 ? $0 : nil },
      topP: number(.topP), minP: number(.minP), repetitionPenalty: number(.repetitionPenalty),
      presencePenalty: number(.presencePenalty), frequencyPenalty: number(.frequencyPenalty))
  }

  fileprivate func json(over old: JSONObject) -> JSONObject {
    let members: [(CodingKeys, JSONValue)] = [
      (.temperature, .optional(temperature)), (.topK, .optional(topK)), (.topP, .optional(topP)),
      (.minP, .optional(minP)), (.repetitionPenalty, .optional(repetitionPenalty)),
      (.presencePenalty, .optional(presencePenalty)),
      (.frequencyPenalty, .optional(frequencyPenalty)),
    ]
    return JSONObject(Array(old) + members.map { ($0.0.rawValue, $0.1) })
  }
}
