import Foundation
import Kernels
import TestSupport
import Testing

/// The model that comes with the program, on real text: the flagship's path at 1 bit.
struct BundledModelTests {
  /// Logits of a numpy float32 forward pass over exactly dequantised weights.
  private struct Truth: Decodable {
    let promptTokens: [Int32]
    let positions: [Int]
    let meanNll192: Double
  }

  /// mlx-lm's greedy answers (`Scripts/fixtures/make_bundled.py`).
  private struct Answers: Decodable {
    struct Case: Decodable {
      let prompt: String
      let promptTokens: [Int32]
      let greedy: [GoldenCase.Step]
    }
    let cases: [Case]
  }

  private static let name = "pipit-180m-1bit"
  private static let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath).path("bundled") + "/"
  private static let tree = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Catalog/bundled").standardized.path

  private static func read<Value: Decodable>(_ path: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// Folder, truth and logits of each width at hand: the one in the tree, and those of
  /// `PIPIT_EXTRA_MODELS`.
  private static let models: [(folder: String, truth: String)] = {
    var models = [(tree + "/" + name, fixtures + name)]
    if let extra = ProcessInfo.processInfo.environment["PIPIT_EXTRA_MODELS"] {
      models.append((extra + "/pipit-180m-2bit", extra + "/pipit-180m-2bit"))
    }
    return models
  }()

  @Test(arguments: models) func logitsAreThoseOfTheTruth(folder: String, truth: String) throws {
    let expected: Truth = try Self.read(truth + ".expect.json")
    let rows = try GoldenCase.floats(path: truth + ".logits.f32")
    let model = try TestModel(path: folder)
    let width = rows.count / expected.positions.count
    let reference = try model.logits(of: expected.promptTokens, backend: .blas)
    let found = try model.logits(of: expected.promptTokens)
    for (index, position) in expected.positions.enumerated() {
      let row = rows[index * width..<(index + 1) * width]
      let difference = zip(row, reference[position]).map { abs($0 - $1) }.max() ?? .infinity
      #expect(difference <= 5e-3, "position \(position)")
      // SIMD rounds activations to 8 bits: the likeliest token where the choice is clear.
      let order = row.indices.sorted { row[$0] > row[$1] }
      if row[order[0]] - row[order[1]] > 0.5 {
        let best = found[position].indices.max { found[position][$0] < found[position][$1] }
        #expect(best == order[0] - row.startIndex, "position \(position)")
      }
    }
    for logits in [reference, found] {
      let loss = Self.meanLoss(logits, expected.promptTokens)
      #expect(abs(loss / expected.meanNll192 - 1) <= 0.005, "\(loss)")
    }
  }

  /// Mean negative log-likelihood of every token but the first.
  private static func meanLoss(_ logits: [[Float]], _ tokens: [Int32]) -> Double {
    let losses = zip(logits, tokens.dropFirst()).map { row, token in
      let top = Double(row.max() ?? 0)
      let sum = row.reduce(0) { $0 + exp(Double($1) - top) }
      return log(sum) + top - Double(row[Int(token)])
    }
    return losses.reduce(0, +) / Double(losses.count)
  }

  /// The 2-bit form in four bits, as `pipit convert` makes it (`Scripts/test-slow`): real weights and
  /// inputs for the 4-bit kernels, which lose no more than they may.
  ///
  /// It answers badly: mlx's grid of 16 codes from −d has no place for the +d of a ternary group.
  @Test(.enabled(if: converted != nil)) func theConvertedFormIsOneModelOnBothBackends() throws {
    let model = try TestModel(path: try #require(Self.converted))
    let original = try #require(Self.models.last)
    let expected: Truth = try Self.read(original.truth + ".expect.json")
    let losses = try [MatmulBackend.simd, .blas].map {
      Self.meanLoss(try model.logits(of: expected.promptTokens, backend: $0), expected.promptTokens)
    }
    #expect(abs(losses[0] / losses[1] - 1) <= 0.005, "\(losses)")
  }

  private static let converted = ProcessInfo.processInfo.environment["PIPIT_CONVERTED_MODEL"]

  /// Twenty tokens of five answers, as far as mlx-lm was sure of them.
  @Test(arguments: models) func answersAreThoseOfMLX(folder: String, _: String) throws {
    let width = folder.suffix(4)
    let answers: Answers = try Self.read(Self.fixtures + "pipit-180m-\(width).greedy.json")
    let model = try TestModel(path: folder)
    for answer in answers.cases {
      for (backend, margin) in [(MatmulBackend.blas, Float(0.01)), (.simd, 0.5)] {
        let certain = answer.greedy.prefix { $0.margin > margin }.map(\.token)
        let found = try model.greedy(
          after: answer.promptTokens, count: certain.count, backend: backend)
        #expect(found == certain, "\(answer.prompt), \(backend)")
      }
    }
  }

  /// Real text in pieces, on other numbers of threads and instruction sets: the same bits.
  @Test func theBitsDoNotDependOnHowTheyWereComputed() throws {
    let expected: Truth = try Self.read(Self.fixtures + Self.name + ".expect.json")
    let tokens = Array(expected.promptTokens.prefix(150))
    let folder = Self.models[0].folder
    let whole = try TestModel(path: folder).logits(of: tokens)
    #expect(try TestModel(path: folder).logits(of: tokens, pieces: [1, 7, 64, 30, 48]) == whole)
    #expect(try TestModel(path: folder, threads: 1).logits(of: tokens, pieces: [150]) == whole)
    for set in [InstructionSet.avx2, .portable] where set.isSupported {
      let other = try TestModel(path: folder, instructionSet: set)
      let count = set == .portable ? 20 : tokens.count
      #expect(try other.logits(of: Array(tokens.prefix(count))) == Array(whole.prefix(count)))
    }
    // A state that is kept, left and taken up again.
    let model = try TestModel(path: folder)
    var state = model.emptyState()
    _ = try model.read(Array(tokens.prefix(90)), into: &state)
    let kept = state
    _ = try model.read([1, 2, 3, 4, 5], into: &state)
    var resumed = kept
    #expect(
      try model.read(Array(tokens.dropFirst(90)), into: &resumed) == Array(whole.dropFirst(90)))
  }
}
