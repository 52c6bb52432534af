import Inference
import JSON

extension Statistics {
  /// The figures of a document; what is missing is zero or unknown.
  init(json: JSONObject) {
    self.init()
    func count(_ key: CodingKeys) -> Int { max(0, json[key.rawValue]?.intValue ?? 0) }
    func number(_ key: CodingKeys) -> Double? { json[key.rawValue]?.doubleValue }
    promptTokens = count(.promptTokens)
    reusedTokens = count(.reusedTokens)
    generatedTokens = count(.generatedTokens)
    reasoningTokens = count(.reasoningTokens)
    prefillTokensPerSecond = number(.prefillTokensPerSecond)
    decodeTokensPerSecond = number(.decodeTokensPerSecond)
    timeToFirstToken = number(.timeToFirstToken)
    duration = number(.duration) ?? 0
    seed = json[CodingKeys.seed.rawValue]?.unsignedValue ?? 0
    reuseNote = json[CodingKeys.reuseNote.rawValue]?.stringValue
    stopReason =
      json[CodingKeys.stopReason.rawValue]?.stringValue.flatMap { StopReason(rawValue: $0) }
      ?? .error
    let footprint = json[CodingKeys.footprint.rawValue]?.objectValue ?? JSONObject()
    func bytes(_ key: Footprint.CodingKeys) -> Int? { footprint[key.rawValue]?.intValue }
    self.footprint = Footprint(
      peakResident: bytes(.peakResident), anonymous: bytes(.anonymous),
      fileBacked: bytes(.fileBacked), proportional: bytes(.proportional))
  }

  /// The figures under the names of `CodingKeys`.
  var json: JSONObject {
    let footprint: [(Footprint.CodingKeys, Int?)] = [
      (.peakResident, footprint.peakResident), (.anonymous, footprint.anonymous),
      (.fileBacked, footprint.fileBacked), (.proportional, footprint.proportional),
    ]
    let members: [(CodingKeys, JSONValue)] = [
      (.promptTokens, .integer(promptTokens)), (.reusedTokens, .integer(reusedTokens)),
      (.generatedTokens, .integer(generatedTokens)),
      (.reasoningTokens, .integer(reasoningTokens)),
      (.prefillTokensPerSecond, .optional(prefillTokensPerSecond)),
      (.decodeTokensPerSecond, .optional(decodeTokensPerSecond)),
      (.timeToFirstToken, .optional(timeToFirstToken)), (.duration, .number(duration)),
      (.stopReason, .string(stopReason.rawValue)), (.seed, .unsigned(seed)),
      (.reuseNote, .optional(reuseNote)),
      (.footprint, .members(footprint.compactMap { key, value in value.map { (key.rawValue, .integer($0)) } })),
    ]
    return JSONObject(members.filter { $0.1 != .null }.map { ($0.0.rawValue, $0.1) })
  }
}
