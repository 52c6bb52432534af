/// A sampling parameter that makes no sense.
package enum SamplingError: Error, Hashable {
  /// The parameter's name as in JSON, its value, and what it may be.
  case outOfRange(parameter: String, value: Double, allowed: String)
}

extension SamplingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .outOfRange(let parameter, let value, let allowed):
      "The sampling parameter \(parameter) is \(value), but must be \(allowed)."
    }
  }
}

extension SamplingParameters {
  /// Checks every parameter: a model's own defaults are as untrusted as the rest of its files.
  package func validate() throws(SamplingError) {
    try Self.check("temperature", temperature, temperature >= 0, "0 or more")
    try Self.check("top_k", Double(topK), topK >= 0, "0 or more")
    try Self.check("top_p", topP, topP > 0 && topP <= 1, "above 0 and at most 1")
    try Self.check("min_p", minP, minP >= 0 && minP <= 1, "from 0 to 1")
    try Self.check("repeat_penalty", repetitionPenalty, repetitionPenalty > 0, "above 0")
    try Self.check("presence_penalty", presencePenalty, true, "a finite number")
    try Self.check("frequency_penalty", frequencyPenalty, true, "a finite number")
  }

  private static func check(
    _ parameter: String, _ value: Double, _ isAllowed: Bool, _ allowed: String
  ) throws(SamplingError) {
    guard value.isFinite, isAllowed else {
      throw .outOfRange(parameter: parameter, value: value, allowed: allowed)
    }
  }
}
