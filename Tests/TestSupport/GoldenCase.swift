import FoundationEssentials

/// A golden model: a prompt, the logits of an independent implementation, and its greedy answer.
package struct GoldenCase: Sendable, CustomStringConvertible {
  /// The case's name, which its files begin with.
  package let name: String
  /// The architecture, such as `llama`.
  package let architecture: String
  /// The prompt's tokens.
  package let prompt: [Int32]
  /// The width of a row of logits.
  package let vocabulary: Int
  /// The greedy continuation.
  package let greedy: [Step]
  /// What int8 activations alone change; none where the case has no quantised matrix.
  package let int8: Difference?
  private let logitsPath: String

  /// One greedy step.
  package struct Step: Decodable, Sendable {
    /// The most likely token.
    package let token: Int32
    /// Its logit's distance to the runner-up's.
    package let margin: Float
  }

  /// How far two sets of logits are apart.
  package struct Difference: Sendable, Hashable {
    /// The largest absolute difference; infinite where a value is not finite.
    package var max: Float
    /// The mean absolute difference.
    package var mean: Float

    package init(max: Float, mean: Float) {
      self.max = max
      self.mean = mean
    }
  }

  /// The case whose `expect.json` is at `path`.
  package init(path: String) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let stored = try decoder.decode(Stored.self, from: Data(contentsOf: URL(filePath: path)))
    name = stored.name
    architecture = stored.arch
    prompt = stored.promptTokens
    vocabulary = stored.vocab
    greedy = stored.greedy
    int8 = (stored.int8ActivationSim ?? stored.llamaCppDiff).map {
      Difference(max: $0.maxAbs, mean: $0.meanAbs)
    }
    logitsPath =
      URL(filePath: path).deletingLastPathComponent().appending(path: stored.logitsFile).path
  }

  package var description: String { name }

  /// The expected logits `(prompt position × vocabulary)`.
  package func logits() throws -> [Float] {
    try Self.floats(path: logitsPath)
  }

  /// How far `logits` are from the expected ones; infinitely where their number differs.
  ///
  /// The `outliers` positions that are furthest off do not count.
  package func difference(of logits: [Float], outliers: Int = 0) throws -> Difference {
    let expected = try self.logits()
    guard expected.count == logits.count, !expected.isEmpty else {
      return Difference(max: .infinity, mean: .infinity)
    }
    var positions: [Difference] = []
    for start in stride(from: 0, to: expected.count, by: vocabulary) {
      let row = start..<min(start + vocabulary, expected.count)
      var largest: Float = 0
      var total: Double = 0
      for (found, wanted) in zip(logits[row], expected[row]) {
        let distance = (found - wanted).magnitude
        largest = distance.isFinite ? max(largest, distance) : .infinity
        total += Double(distance)
      }
      positions.append(Difference(max: largest, mean: Float(total / Double(row.count))))
    }
    positions.sort { $0.max < $1.max }
    let counted = positions.prefix(max(1, positions.count - outliers))
    return Difference(
      max: counted.last?.max ?? .infinity,
      mean: counted.reduce(0) { $0 + $1.mean } / Float(counted.count))
  }

  /// What float32 activations may differ by: implementations agree to about 1e-4.
  package var floatLimit: Difference { Difference(max: 2e-3, mean: 2e-4) }

  /// What int8 activations may differ by: a small multiple of what they are known to cost.
  package var int8Limit: Difference {
    guard let int8 else { return floatLimit }
    return Difference(max: 3 * int8.max, mean: 2 * int8.mean)
  }

  /// How many greedy tokens must be equal with int8 activations: all before the first whose margin
  /// they can reach; those after it follow from another prefix.
  package var certainGreedyTokens: Int { certainGreedyTokens(reach: 4 * (int8?.max ?? 0)) }

  /// How many greedy tokens must be equal with float activations.
  package var certainFloatGreedyTokens: Int { certainGreedyTokens(reach: 0) }

  private func certainGreedyTokens(reach: Float) -> Int {
    greedy.firstIndex { $0.margin <= max(reach, 2 * floatLimit.max) } ?? greedy.count
  }

  /// The little-endian float32 values of a file.
  package static func floats(path: String) throws -> [Float] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    return stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { offset in
      var bits: UInt32 = 0
      for index in (0..<4).reversed() { bits = bits << 8 | UInt32(bytes[offset + index]) }
      return Float(bitPattern: bits)
    }
  }

  /// The file as it is stored; its names are in snake case.
  private struct Stored: Decodable {
    struct Spread: Decodable {
      let maxAbs: Float
      let meanAbs: Float
    }
    let name: String
    let arch: String
    let vocab: Int
    let promptTokens: [Int32]
    let logitsFile: String
    let greedy: [Step]
    let int8ActivationSim: Spread?
    let llamaCppDiff: Spread?
  }
}

extension GoldenCase.Difference {
  /// Whether both numbers are within `limit`.
  package func isWithin(_ limit: Self) -> Bool { max <= limit.max && mean <= limit.mean }
}
