import Inference
import JSON
import Kernels
import ModelLibrary
import Synchronization
import Tokenizers
import Weights

extension Doctor {
  private var library: ModelLibrary { invocation.library }

  /// The model that answers when none is named.
  func defaultModel() -> DoctorCheck {
    let name: String
    let path: String
    do {
      (name, path) = try library.resolve(nil)
    } catch {
      if case .severalInstalled(let names) = error {
        return .notice(
          "default model", DoctorWords.noDefault(names), remedy: DoctorWords.chooseDefault(names))
      }
      return .fault("default model", "\(error)", remedy: DoctorWords.getModel)
    }
    let figures: [(String, JSONValue)] = [("model", .string(name)), ("path", .string(path))]
    do {
      let options = library.options(ModelOptions(), for: name, path: path)
      let estimate = try ModelEstimate(path: path, options: options)
      let context = min(options.contextLength ?? 4096, estimate.contextLength)
      let verdict = FitVerdict(
        estimate.plan, positions: context, modelLength: estimate.contextLength, on: .probe())
      let finding = DoctorWords.defaultModel(name, verdict)
      if verdict == .tooLarge {
        return .fault("default model", finding, remedy: DoctorWords.smallerModel, figures)
      }
      return .sound("default model", finding, figures + [("fit", .string(verdict.word))])
    } catch {
      return .fault(
        "default model", "\(name): \(Sentence.of(error) ?? "\(error)")",
        remedy: DoctorWords.verify(name), figures)
    }
  }

  /// The files of the model that came with the program, and ten tokens of it against what they were
  /// when it was made: logits are the same to the bit on every processor.
  func bundledModel() async -> [DoctorCheck] {
    guard let model = library.bundled().first(where: { $0.name == SelfCheck.model }) else {
      return [
        .notice(
          "bundled model", DoctorWords.noBundledModel(library.directories.bundled),
          remedy: DoctorWords.putBundledModel)
      ]
    }
    do {
      let report = try library.verify(model)
      let bad = report.files.filter { $0.state != .sound && $0.state != .recorded }
      guard bad.isEmpty else {
        return [
          .fault(
            "bundled model", DoctorWords.damaged(bad.map(\.name), of: model.path),
            remedy: DoctorWords.putBundledModel, [("path", .string(model.path))])
        ]
      }
    } catch {
      return [
        .fault(
          "bundled model", Sentence.of(error) ?? "\(error)", remedy: DoctorWords.putBundledModel,
          [("path", .string(model.path))])
      ]
    }
    return [
      .sound("bundled model", DoctorWords.soundFiles(model.name), [("path", .string(model.path))]),
      await selfCheck(model),
    ]
  }

  private func selfCheck(_ model: InstalledModel) async -> DoctorCheck {
    do {
      let start = ContinuousClock.now
      let found = try await SelfCheck.run(
        ModelReference(
          name: model.name, path: model.path,
          options: ModelOptions(
            contextLength: 256, threads: invocation.options.modelOptions.threads)),
        budget: invocation.memoryBudget)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let figures: [(String, JSONValue)] = [
        ("tokens", .array(found.atOnce.tokens.map { .integer(Int($0)) })),
        ("logits_xxh64", .string(String(found.atOnce.checksum, radix: 16))),
        ("one_by_one_logits_xxh64", .string(String(found.oneByOne.checksum, radix: 16))),
        ("numerics_version", .integer(Int(numericsVersion))), ("seconds", .number(seconds)),
      ]
      guard found.isRight else {
        return .fault(
          "self-check", DoctorWords.wrongNumbers(found), remedy: DoctorWords.reportNumbers, figures)
      }
      return .sound(
        "self-check", DoctorWords.rightNumbers(found.atOnce.tokens.count, seconds), figures)
    } catch {
      return .fault(
        "self-check", Sentence.of(error) ?? "\(error)", remedy: DoctorWords.retryLater)
    }
  }
}

/// Ten tokens of the bundled model and the logits that they were chosen by.
struct SelfCheck: Equatable {
  let tokens: [TokenID]
  /// XXH64 of the ten rows of logits, float32, little-endian.
  let checksum: UInt64

  static let model = "pipit-180m-1bit"

  /// "What is gravity?" in the model's own template.
  private static let prompt: [TokenID] = [
    1, 9690, 198, 2683, 359, 253, 5356, 5646, 11173, 3365, 3511, 308, 34519, 28, 7018, 411, 407,
    19712, 8182, 2, 198, 1, 4093, 198, 1780, 314, 9354, 47, 2, 198, 1, 520, 9531, 198,
  ]

  /// Under rules of numbers 2, the same by every set of kernels.
  ///
  /// Where `numericsVersion` rises, what
  /// `pipit doctor --json` then shows takes its place.
  static let expected = SelfCheck(
    tokens: [22007, 6463, 314, 253, 4959, 1909, 281, 6944, 338, 6601],
    checksum: 0xf0e5_a1fc_d516_5ba5)

  /// What was found by the kernels of prompts, and by those of replies, which have loops of their own.
  struct Outcome {
    let atOnce: SelfCheck
    let oneByOne: SelfCheck

    var isRight: Bool { atOnce == expected && oneByOne == expected }
  }

  /// Reads the prompt with the tokens that should follow, at once and token by token.
  static func run(_ model: ModelReference, budget: MemoryBudget) async throws -> Outcome {
    let engine = try await CPUModel(model, budget: budget)
    return Outcome(
      atOnce: try await read(by: engine, chunk: nil), oneByOne: try await read(by: engine, chunk: 1)
    )
  }

  /// Takes the likeliest token at each place.
  private static func read(by engine: CPUModel, chunk: Int?) async throws -> SelfCheck {
    let input = prompt + expected.tokens.dropLast()
    let first = prompt.count - 1
    let found = Mutex(Found())
    try await engine.logits(of: input, chunk: chunk) { row in
      found.withLock { $0.take(row, from: first) }
    }
    return found.withLock { SelfCheck(tokens: $0.tokens, checksum: $0.checksum.value) }
  }

  /// What has been found so far.
  private struct Found {
    var position = 0
    var tokens: [TokenID] = []
    var checksum = Checksum()

    /// Takes in the logits of the next position; those before `first` do not count.
    mutating func take(_ row: [Float], from first: Int) {
      position += 1
      guard position > first else { return }
      tokens.append(TokenID(row.indices.max { row[$0] < row[$1] } ?? 0))
      var bytes: [UInt8] = []
      bytes.reserveCapacity(4 * row.count)
      for number in row {
        for byte in 0..<4 {
          bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * byte)))
        }
      }
      checksum.update(bytes.span)
    }
  }
}
