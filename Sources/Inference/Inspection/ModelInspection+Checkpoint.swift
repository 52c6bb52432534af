import JSON
import Kernels
package import Weights

extension ModelInspection {
  /// Looks into a checkpoint that is open.
  package init(checkpoint: SafetensorsCheckpoint) {
    form = checkpoint.form
    files = checkpoint.files.map { ($0.file.path, $0.file.count) }
    let configuration = checkpoint.config
    let inner = configuration?["text_config"] ?? configuration
    architecture = inner?["model_type"]?.stringValue?.displayable(limit: 200)
    name = configuration?["_name_or_path"]?.stringValue?.displayable(limit: 200)
    contextLength = inner?["max_position_embeddings"]?.intValue
    layerCount = inner?["num_hidden_layers"]?.intValue
    vocabularyCount = inner?["vocab_size"]?.intValue
    metadata = configuration?.objectValue.map { MetadataValue.members(of: $0) } ?? []

    let stored = checkpoint.files.flatMap(\.tensors)
    tensors = stored.map { Self.tensor($0, of: checkpoint) }
    types = Self.totals(tensors)
    parameterCount = zip(stored, tensors).reduce(0) { sum, pair in
      let isOfPacked = [".scales", ".biases"].contains { suffix in
        pair.0.name.hasSuffix(suffix)
          && checkpoint.contains(pair.0.name.dropLast(suffix.count) + ".scales")
      }
      return isOfPacked ? sum : sum + pair.1.shape.reduce(1, *)
    }
    addModel(tokenizerLabel: nil) { try ModelPackage(checkpoint: checkpoint) }
  }

  private static func tensor(
    _ stored: SafetensorsTensor, of checkpoint: SafetensorsCheckpoint
  ) -> Tensor {
    var tensor = Tensor(
      name: stored.name.displayable(limit: 200), type: stored.typeName.displayable(limit: 40),
      shape: stored.shape,
      byteCount: stored.bytes.count, isSupported: stored.type?.scaleType != nil)
    if let packing = checkpoint.packing(of: stored.name) {
      tensor.type =
        (packing.isSupported ? "" : packing.mode.displayable(limit: 40) + ", ")
        + "\(packing.bits)-bit, groups of \(packing.group)"
      tensor.shape = stored.shape.dropLast() + [packing.columns]
      tensor.isSupported = packing.isSupported
    }
    return tensor
  }
}
