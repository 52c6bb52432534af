import Conversations
import Inference

/// A figure that `/params` shows and sets, under the name of its flag.
struct ReplyParameter: Sendable {
  let name: String
  /// What it takes, in words.
  let range: String
  /// What the user has chosen; nil for nothing.
  let chosen: @Sendable (ChatSettings) -> String?
  /// What holds when nothing is chosen.
  let effective: @Sendable (SamplingParameters) -> String
  /// Sets it from text, `-` for nothing; whether the text was understood.
  let set: @Sendable (String, inout ChatSettings) -> Bool

  static let all: [ReplyParameter] = [
    number("temperature", 0...100, \.temperature) { $0.temperature },
    count("top-k", \.sampling.topK, from: 0) { "\($0.topK)" },
    number("top-p", 0...1, \.topP) { $0.topP },
    number("min-p", 0...1, \.minP) { $0.minP },
    number("repeat-penalty", 0.01...100, \.repetitionPenalty) { $0.repetitionPenalty },
    number("presence-penalty", -100...100, \.presencePenalty) { $0.presencePenalty },
    number("frequency-penalty", -100...100, \.frequencyPenalty) { $0.frequencyPenalty },
    count("max-tokens", \.maximumTokens, from: 1) { _ in "what the context holds" },
    count("think-budget", \.thinkingBudget, from: 0) { _ in "no limit" },
    ReplyParameter(
      name: "seed", range: ValueProblem.notASeed.expectation, chosen: { $0.seed.map(String.init) },
      effective: { _ in "a new one each time" },
      set: { text, settings in
        if text == "-" {
          settings.seed = nil
          return true
        }
        guard let seed = UInt64(text) else { return false }
        settings.seed = seed
        return true
      }),
  ]

  private static func number(
    _ name: String, _ range: ClosedRange<Double>,
    _ path: any WritableKeyPath<SamplingOverrides, Double?> & Sendable,
    effective: @escaping @Sendable (SamplingParameters) -> Double
  ) -> ReplyParameter {
    ReplyParameter(
      name: name, range: "a number from \(text(range.lowerBound)) to \(text(range.upperBound))",
      chosen: { $0.sampling[keyPath: path].map(text) }, effective: { text(effective($0)) },
      set: { word, settings in
        if word == "-" {
          settings.sampling[keyPath: path] = nil
          return true
        }
        guard let value = Double(word), range.contains(value) else { return false }
        settings.sampling[keyPath: path] =
          name == "top-p" ? max(value, .leastNormalMagnitude) : value
        return true
      })
  }

  private static func count(
    _ name: String, _ path: any WritableKeyPath<ChatSettings, Int?> & Sendable, from least: Int,
    effective: @escaping @Sendable (SamplingParameters) -> String
  ) -> ReplyParameter {
    ReplyParameter(
      name: name, range: "a whole number of at least \(least)",
      chosen: { $0[keyPath: path].map(String.init) }, effective: effective,
      set: { word, settings in
        if word == "-" {
          settings[keyPath: path] = nil
          return true
        }
        guard let value = Int(word), value >= least, value <= 1 << 40 else { return false }
        settings[keyPath: path] = value
        return true
      })
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e6 ? String(Int(value)) : String(value)
  }
}
