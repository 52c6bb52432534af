/// What `pipit bench` says.
enum BenchWords {
  static let measuring = "Measuring"
  static let checking = "Comparing the backends"

  static func insane(_ sanity: BenchSanity) -> String {
    """
    The model's output makes no sense: of \(sanity.positions) positions \
    \(sanity.brokenPositions) have logits that are not finite or all the same, and at \
    \(sanity.disagreements) the backends disagree on the likeliest token.
    """
  }

  static func sane(_ sanity: BenchSanity) -> String {
    "finite, not constant, and the backends agree at \(sanity.positions) positions"
  }
}
