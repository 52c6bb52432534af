import Foundation
import TestSupport

/// What an independent implementation says of a model: the JSON and the logits beside it.
struct Golden: Sendable {
  let name: String
  /// The model's file or folder.
  let path: String
  let promptTokens: [Int32]
  /// (position × vocabulary).
  let logits: [[Float]]
  /// What follows the prompt greedily, and how far each token was ahead of the runner-up.
  let greedy: [(token: Int32, margin: Float)]
  /// What int8 activations alone change, as simulated by the oracle.
  let int8Maximum: Float
  let int8Mean: Float

  /// Reads `<directory>/<name>.expect.json` and its logits; the model is `path`.
  init(_ name: String, path: String, directory: String) throws {
    let file = try JSONDecoder().decode(
      File.self, from: Data(contentsOf: URL(filePath: "\(directory)/\(name).expect.json")))
    let data = try Data(contentsOf: URL(filePath: "\(directory)/\(file.logits_file)"))
    let vocabulary = file.logits_shape[1]
    let floats = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        unsafe Float(
          bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
      }
    }
    self.name = name
    self.path = path
    promptTokens = file.prompt_tokens
    logits = (0..<file.logits_shape[0]).map {
      Array(floats[$0 * vocabulary..<($0 + 1) * vocabulary])
    }
    greedy = file.greedy.map { ($0.token, $0.margin) }
    int8Maximum = file.int8_activation_sim?.max_abs ?? 0
    int8Mean = file.int8_activation_sim?.mean_abs ?? 0
  }

  private struct File: Decodable {
    let prompt_tokens: [Int32]
    let logits_file: String
    let logits_shape: [Int]
    let greedy: [Step]
    let int8_activation_sim: Deviation?

    struct Step: Decodable {
      let token: Int32
      let margin: Float
    }

    struct Deviation: Decodable {
      let max_abs: Float
      let mean_abs: Float
    }
  }
}
