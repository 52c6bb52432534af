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

  /// Opens a GGUF file.
  ///
  /// - Throws: what is wrong with the files, each error naming the file, key or tensor.
  package init(path: String) throws {
    try self.init(gguf: GGUFFile(path: path))
  }
}
