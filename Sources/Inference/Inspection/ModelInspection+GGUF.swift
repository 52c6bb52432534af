import JSON
package import Weights

extension ModelInspection {
  /// Looks into a GGUF file that is open.
  package init(gguf file: GGUFFile) {
    let metadata = file.metadata
    func text(_ key: String) -> String? {
      (try? metadata.string(key))?.displayable(limit: 200)
    }
    form = .gguf
    files = file.files.map { ($0.path, $0.count) }
    architecture = text("general.architecture")
    name = text("general.name")
    tensors = file.tensors.map { tensor in
      Tensor(
        name: tensor.name.displayable(limit: 200), type: tensor.typeName,
        shape: tensor.shape, byteCount: tensor.bytes.count,
        isSupported: tensor.encoding?.layout != nil)
    }
    types = Self.totals(tensors)
    // The parser has checked that no product overflows, and the file's size bounds the sum.
    parameterCount = file.tensors.reduce(0) { $0 + $1.rows * $1.columns }
    self.metadata = metadata.keys.map { key in
      (key.displayable(limit: 200), metadata[key].map { MetadataValue($0) } ?? .null)
    }
    let prefix = (try? metadata.string("general.architecture")) ?? ""
    contextLength = try? metadata.integer(prefix + ".context_length")
    layerCount = try? metadata.integer(prefix + ".block_count")
    vocabularyCount = (try? metadata.array("tokenizer.ggml.tokens"))?.count
    hasTemplate = metadata.contains("tokenizer.chat_template")
    let label = [text("tokenizer.ggml.model"), text("tokenizer.ggml.pre")].compactMap { $0 }
    addModel(tokenizerLabel: label.isEmpty ? nil : label.joined(separator: ", ")) {
      try ModelPackage(gguf: file)
    }
  }
}
