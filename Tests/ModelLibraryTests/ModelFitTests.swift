import FoundationEssentials
import Inference
import ModelLibrary
import TestSupport
import Testing

@Suite struct ModelFitTests {
  /// Bonsai 8B at one bit.
  private static func bonsai8B() throws -> ModelEstimate {
    let sizes = ModelSizes(
      hidden: 4096, vocabulary: 151_669, contextLength: 65_536, heads: 32, keyValueHeads: 8,
      headDimension: 128, feedForward: 12_288, fullLayers: 36, parameterCount: 8_190_000_000,
      byteCount: 1_160_000_000)
    return ModelEstimate(sizes: sizes, options: ModelOptions(threads: 2))
  }

  /// Qwen3.5 9B at four: three layers in four keep no keys and values.
  private static func hybrid9B() throws -> ModelEstimate {
    var sizes = ModelSizes(
      hidden: 4096, vocabulary: 248_320, contextLength: 262_144, heads: 16, keyValueHeads: 4,
      headDimension: 256, feedForward: 12_288, fullLayers: 8, parameterCount: 8_950_000_000,
      byteCount: 5_500_000_000)
    sizes.deltaNet = ModelSizes.DeltaNet(
      layers: 24, keyHeads: 16, valueHeads: 32, keyDimension: 128, valueDimension: 128)
    return ModelEstimate(sizes: sizes, options: ModelOptions(threads: 2))
  }

  private func fit(
    _ estimate: ModelEstimate, _ name: String = "m", context: Int? = nil, memory: Int
  ) -> ModelFit {
    ModelFit(
      name: name, isInstalled: false, estimate: estimate, context: context,
      on: MachineMemory(sold: memory))
  }

  @Test func peaksGrowWithTheContext() throws {
    let fit = fit(try Self.bonsai8B(), memory: 8_000_000_000)
    #expect(fit.peaks.map(\.context) == [4096, 16384, 65536])
    // 147 kB a token: 36 layers, 8 heads of 128, keys and values in float16.
    let token = 36 * 8 * 128 * 2 * 2
    #expect(fit.peaks[1].byteCount - fit.peaks[0].byteCount == 12_288 * token)
    #expect(fit.peaks[0].byteCount > 1_160_000_000 + 4096 * token)
    #expect(fit.peaks[0].byteCount < 1_400_000_000 + 4096 * token)
  }

  @Test func hybridsKeepLittle() throws {
    // 8 layers of 4 heads of 256: 33 kB a token, and not 131.
    let plan = try Self.hybrid9B().plan
    #expect(plan.need(positions: 16384).keyValue == 16384 * 8 * 4 * 256 * 2 * 2)
  }

  @Test(
    "Verdicts on machines as they are sold",
    arguments: [
      (2, "tooLarge", nil), (4, "tight", 2048), (6, "comfortable", 8192),
      (8, "comfortable", 16384), (12, "comfortable", 32768), (16, "comfortable", 32768),
      (24, "comfortable", 65536),
    ] as [(Int, String, Int?)])
  func machines(gigabytes: Int, verdict: String, comfortable: Int?) throws {
    let fit = fit(try Self.bonsai8B(), memory: gigabytes * 1_000_000_000)
    #expect("\(fit.verdict)".hasPrefix(verdict))
    #expect(fit.comfortableContext == comfortable)
  }

  @Test func theBestIsTheLargestThatFitsWell() throws {
    func best(_ memory: Int) throws -> String? {
      [
        fit(try Self.hybrid9B(), "hybrid", memory: memory),
        fit(try Self.bonsai8B(), "bonsai", memory: memory),
      ].best?.name
    }
    #expect(try best(16_000_000_000) == "hybrid")
    #expect(try best(8_000_000_000) == "bonsai")
    #expect(try best(3_000_000_000) == nil)
  }

  /// Four gigabytes carry it tightly at 4,096 tokens; more would fit, up to a bound that another fit
  /// confirms.
  @Test func tightIsNotTheEnd() throws {
    let estimate = try Self.bonsai8B()
    guard case .tight(let largest) = fit(estimate, memory: 4_200_000_000).verdict,
      largest > 4096
    else {
      Issue.record("\(fit(estimate, memory: 4_200_000_000).verdict)")
      return
    }
    let there = fit(estimate, context: largest, memory: 4_200_000_000).verdict
    #expect(there == .tight(largestContext: largest))
    #expect(
      fit(estimate, context: largest + 64, memory: 4_200_000_000).verdict == there)
  }

  @Test func aContextOfChoice() throws {
    let estimate = try Self.bonsai8B()
    let fit = fit(estimate, context: 65536, memory: 8_000_000_000)
    #expect(fit.verdictContext == 65536)
    guard case .tight(let largest) = fit.verdict else {
      Issue.record("\(fit.verdict)")
      return
    }
    #expect(largest > 16384 && largest < 65536)
  }

  @Test func aSmallerModelToPointTo() throws {
    let home = try ScratchDirectory()
    let models = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "InferenceTests/Fixtures/models")
    for name in ["qwen3-q1_0", "gemma3-q5_0"] {
      let folder = home.path + "/models/" + name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: models.appending(path: "\(name).gguf").path, toPath: folder + "/m.gguf")
    }
    let library = ModelLibrary(
      directories: Directories(environment: { $0 == "PIPIT_HOME" ? home.path : nil }))
    let gemma = try ModelEstimate(path: library.resolve("gemma3-q5_0").path)
    func name(_ available: Int, _ weights: Int) -> String? {
      library.largestModel(fitting: available, smallerThan: weights)?.name
    }
    #expect(name(gigabyte, gigabyte) == "gemma3-q5_0")
    #expect(name(gigabyte, gemma.weights) == "qwen3-q1_0")
    #expect(name(gigabyte, 1) == nil)
    #expect(name(1_000_000, gigabyte) == nil)
  }
}

private let gigabyte = 1_000_000_000
