import Inference

/// What `pipit bench` says.
enum BenchWords {
  static let measuring = "Measuring"
  static let skipped = "Skipped; 'pipit bench --first-run' shows it at any time."
  static let samplePrompt = "What is gravity?"

  static func measuring(_ model: String, hasKeys: Bool) -> String {
    "Measuring this machine with \(model), a few seconds" + (hasKeys ? "; any key skips." : ".")
  }

  static func tooLong(_ needed: Int, _ context: Int) -> String {
    """
    The model's context is \(Figures.tokens(context)), and the tests of -p, -n and -d need \
    \(Figures.grouped(needed)).
    """
  }

  static let checking = "Comparing the backends"

  static func insane(_ sanity: BenchSanity) -> String {
    guard sanity.differences == 0 else {
      return """
        The model's output makes no sense: \(sanity.differences) positions have other logits when \
        tokens are read one by one than at once, where every bit should be the same; 'pipit doctor' \
        tells more.
        """
    }
    return """
      The model's output makes no sense: of \(sanity.positions) positions \
      \(sanity.brokenPositions) have logits that are not finite or all the same, and at \
      \(sanity.disagreements) the backends disagree on the likeliest token.
      """
  }

  static func sane(_ sanity: BenchSanity) -> String {
    """
    finite, not constant, the same one by one, and the backends agree at \
    \(sanity.positions) positions
    """
  }

  /// The bytes of a token by what they are of; what there is none of goes unsaid.
  static func traffic(_ traffic: DecodeTraffic) -> String {
    let parts = [
      (traffic.weights, "weights"), (traffic.keysAndValues, "keys and values"),
      (traffic.recurrentState, "state, read and written"),
    ].filter { $0.0 > 0 }.map { "\(Figures.bytes($0)) \($1)" }
    return "\(Figures.bytes(traffic.total)): " + parts.joined(separator: ", ")
  }
}
