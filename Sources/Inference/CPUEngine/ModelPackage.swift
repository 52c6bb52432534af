import FoundationEssentials
package import Tokenizers
import Transformers
import Weights

/// What a model's files say, before a weight is read.
package struct ModelPackage: Sendable {
  let source: any WeightSource
  let settings: ModelSettings
  package let tokenizer: Tokenizer
  /// The model's own chat template, where it has one.
  package let template: String?
  let endOfTurn: Set<TokenID>
  /// What the files recommend for sampling.
  let sampling: SamplingOverrides?

  /// Opens a GGUF file, a safetensors file, or a folder in the layout of Hugging Face.
  ///
  /// - Throws: what is wrong with the files, each error naming the file, key or tensor.
  package init(path: String) throws {
    if Self.isCheckpoint(path) {
      try self.init(checkpoint: SafetensorsCheckpoint(path: path))
    } else {
      try self.init(gguf: GGUFFile(path: path))
    }
  }

  /// What the files say of the weights, without tokenizer and template.
  ///
  /// - Throws: what is wrong with the files, each error naming the file, key or tensor.
  static func open(path: String) throws -> (source: any WeightSource, settings: ModelSettings) {
    guard isCheckpoint(path) else {
      let file = try GGUFFile(path: path)
      return (file, try ModelSettings(file.metadata))
    }
    let checkpoint = try SafetensorsCheckpoint(path: path)
    guard let configuration = checkpoint.config else {
      throw ModelPackageError.missingFile("config.json", folder: path)
    }
    return (checkpoint, ModelSettings(configuration: configuration))
  }

  /// Whether a path is that of safetensors, not of a GGUF file.
  static func isCheckpoint(_ path: String) -> Bool {
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder || path.hasSuffix(".safetensors")
  }
}
