import Foundation
import Kernels
import TestSupport
import Testing
import Weights

/// The files that other programs made: every tensor can be read.
@Suite struct GoldenFileTests {
  private static let goldens = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "TransformersTests/Fixtures")

  private static func list(_ folder: String) -> [String] {
    let path = goldens.appending(path: folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { "\(path)/\($0)" }
  }

  static let ggufs = list("gguf").filter { $0.hasSuffix(".gguf") }
  static let checkpoints = list("mlx")

  @Test func thereAreGoldens() {
    #expect(!Self.ggufs.isEmpty && !Self.checkpoints.isEmpty)
  }

  @Test(arguments: ggufs) func everyTensorOfAGGUF(path: String) throws {
    let file = try GGUFFile(path: path)
    for name in file.tensorNames {
      let elements = try file.vector(name)
      #expect(elements.count == (try file.shape(name)).reduce(1, *))
    }
  }

  @Test(arguments: checkpoints) func everyTensorOfAnMLXCheckpoint(path: String) throws {
    let checkpoint = try SafetensorsCheckpoint(path: path)
    #expect(checkpoint.form == .mlx)
    for name in checkpoint.tensorNames
    where !name.hasSuffix(".scales") && !name.hasSuffix(".biases") {
      #expect(throws: Never.self) { try checkpoint.vector(name) }
    }
  }

  /// Bonsai's signs and ternary weights are found in whole models.
  @Test(arguments: [
    ("qwen3-b1-g128-tied", Zero.signs), ("qwen3-b2-g128-ternary", .symmetric(1)),
    ("qwen3-b1-g32-minmax", .affine), ("qwen3-b4-g64-tied", .affine),
  ]) func zeros(name: String, expected: Zero) throws {
    let path = try #require(Self.checkpoints.first { $0.hasSuffix(name) })
    let checkpoint = try SafetensorsCheckpoint(path: path)
    for name in checkpoint.tensorNames where checkpoint.contains(scales(of: name)) {
      guard case .grouped(_, _, _, let zero) = try checkpoint.matrix(name).format else {
        Issue.record("\(name) is not grouped")
        continue
      }
      #expect(zero == expected)
    }
  }

  private func scales(of name: String) -> String {
    name.hasSuffix(".weight") ? "\(name.dropLast(7)).scales" : ""
  }

  @Test(.enabled(if: TestModels.smolLM2 != nil)) func theDefaultModel() throws {
    let file = try GGUFFile(path: try #require(TestModels.smolLM2))
    #expect(file.tensors.count == 272)
    #expect(try file.metadata.string("general.architecture") == "llama")
    #expect(try file.metadata.strings("tokenizer.ggml.tokens")?.count == 49152)
    for tensor in file.tensors { #expect(try file.matrix(tensor.name).rows == tensor.rows) }
  }
}
