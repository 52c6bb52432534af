import Foundation
import JSON
import Kernels
import TestSupport
import Testing
import Transformers
import Weights

/// Models whose header or configuration is damaged: an error, or a model that can be loaded and run.
///
/// `PIPIT_FUZZ_ITERATIONS` raises the number, with one of these tests alone.
@Suite(.serialized) struct ModelFuzzTests {
  private static let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)

  private func isExpected(_ error: any Error) -> Bool {
    error is ModelError || error is WeightsError || error is JSONError || error is MatrixError
  }

  /// Prepares the weights, and reads a token.
  private func run(_ plan: ModelPlan, _ compute: Compute) throws {
    let transformer = try plan.load(compute: compute)
    let workspace = Workspace(
      transformer.configuration, capacity: 1, context: 64, threads: 1)
    var state = transformer.emptyState(context: 64, keysAndValues: .float16)
    try transformer.read(
      [0], state: &state, workspace: workspace, backend: .simd, logits: .last
    ) { _, _ in }
  }

  @Test(arguments: [
    "own/qwen3-q1_0", "own/llama-q4_0-llama3", "own/qwen3-q4_0-yarn", "moe/qwen3_moe-q4_0",
    "hybrid/qwen35-q1_0", "hybrid/gemma3-q5_0",
  ]) func damagedGGUFHeader(_ name: String) throws {
    let bytes = [UInt8](try Self.fixtures.data(name + ".gguf"))
    let file = try GGUFFile(MappedFile(copying: bytes))
    let head = try #require(file.tensors.map(\.bytes.offset).min())
    let compute = try Compute(threads: 1)
    let outcome = try FuzzRun(
      name, [bytes], head: [head], seed: 5, usual: 300, share: 20, isExpected: isExpected
    ) { bytes in
      let file = try GGUFFile(MappedFile(copying: bytes))
      try run(ModelPlan(file, settings: ModelSettings(file.metadata)), compute)
    }
    #expect(outcome.accepted < outcome.files)
    #expect(outcome.isWithinBounds, "\(outcome)")
  }

  @Test(arguments: [
    "mlx/qwen3-b4-g64-yarn", "mlx/qwen3-mixed", "hybrid/qwen35-b1-g128-flat",
    "hybrid/gemma3-b4-g64-window8",
  ]) func damagedConfiguration(_ name: String) throws {
    let files = try Self.fixtures.paths(in: name, endingIn: ".safetensors")
      .map { try MappedFile(path: $0) }
    let config = [UInt8](try Self.fixtures.data(name + "/config.json"))
    let compute = try Compute(threads: 1)
    let outcome = try FuzzRun(
      name + "/config.json", [config], seed: 6, usual: 300, share: 20, isExpected: isExpected
    ) { bytes in
      let config = try JSONReader.read(bytes)
      let checkpoint = try SafetensorsCheckpoint(path: "memory", files: files, config: config)
      try run(ModelPlan(checkpoint, settings: ModelSettings(configuration: config)), compute)
    }
    #expect(outcome.accepted > 0 && outcome.accepted < outcome.files)
    #expect(outcome.isWithinBounds, "\(outcome)")
  }
}
