/// Whether the numbers that were produced so fast mean anything; holds on random weights too.
struct BenchSanity: Sendable, Equatable {
  /// A logit that is not finite, or a position whose logits are all the same.
  var brokenPositions = 0
  /// Positions whose top token differs between the backends although the margin is clear.
  var disagreements = 0
  /// Positions whose logits are others when tokens are read one by one, by a single bit even.
  var differences = 0
  var positions = 0

  var isSound: Bool {
    positions > 0 && brokenPositions == 0 && disagreements == 0 && differences == 0
  }

  /// A margin is clear beyond this many times the root mean square of the differences.
  private static let clearMargin: Float = 6

  /// Compares what was read at once with the same tokens one by one.
  mutating func compare(_ atOnce: [[Float]], oneByOne: [[Float]]) {
    differences += abs(atOnce.count - oneByOne.count)
    for (one, other) in zip(atOnce, oneByOne)
    where !one.lazy.map(\.bitPattern).elementsEqual(other.lazy.map(\.bitPattern)) {
      differences += 1
    }
  }

  /// Compares the backends at one position.
  mutating func add(simd: [Float], reference: [Float]) {
    positions += 1
    guard simd.count == reference.count, let top = Self.top(reference), let other = Self.top(simd),
      Self.isAlive(simd), Self.isAlive(reference)
    else {
      brokenPositions += 1
      return
    }
    if top == other { return }
    var squares: Float = 0
    for index in simd.indices {
      let difference = simd[index] - reference[index]
      squares += difference * difference
    }
    let typical = (squares / Float(simd.count)).squareRoot()
    // Differences of the size of the logits themselves are no rounding.
    let isNoise = typical > 0.25 * Self.spread(reference)
    if isNoise || reference[top] - reference[other] > Self.clearMargin * typical {
      disagreements += 1
    }
  }

  private static func isAlive(_ values: [Float]) -> Bool {
    values.allSatisfy(\.isFinite) && values.contains { $0 != values[0] }
  }

  private static func top(_ values: [Float]) -> Int? {
    var best: Int?
    for index in values.indices where best.map({ values[index] > values[$0] }) ?? true {
      best = index
    }
    return best
  }

  private static func spread(_ values: [Float]) -> Float {
    let mean = values.reduce(0, +) / Float(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Float(values.count)).squareRoot()
  }
}
