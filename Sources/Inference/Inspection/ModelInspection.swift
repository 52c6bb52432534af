import JSON
import Tokenizers
package import Weights

/// What a model's files hold, by their headers; no weight is loaded.
///
/// All texts come without control characters.
package struct ModelInspection: Sendable {
  /// A tensor as it is stored.
  package struct Tensor: Sendable, Hashable {
    package var name: String
    /// The stored type, or how packed numbers are to be read.
    package var type: String
    /// Outermost first; of packed numbers, not of the words they are packed in.
    package var shape: [Int]
    /// Bytes in the file.
    package var byteCount: Int
    /// Whether Pipit computes with the type.
    package var isSupported: Bool
  }

  /// The tensors of one type.
  package struct TypeTotal: Sendable, Hashable {
    package var type: String
    package var tensors: Int
    package var byteCount: Int
    package var isSupported: Bool
  }

  package var form: CheckpointForm
  package var files: [(path: String, byteCount: Int)]
  package var architecture: String?
  /// The model's name by its own account.
  package var name: String?
  /// Numbers in the tensors, without the scales of packed ones.
  package var parameterCount: Int
  package var tensors: [Tensor]
  /// Most bytes first.
  package var types: [TypeTotal]
  package var contextLength: Int?
  package var layerCount: Int?
  package var vocabularyCount: Int?
  /// The kind of tokenizer, with what the file calls it.
  package var tokenizer: String?
  package var hasTemplate = false
  /// Whether the template lets the model think; nil when that cannot be told.
  package var thinking: ThinkingKind?
  /// Metadata in the order of the file.
  package var metadata: [(key: String, value: MetadataValue)]
  /// What running it takes; nil when Pipit cannot.
  package var memory: MemoryEstimate?
  /// Why Pipit cannot run the model; nil when it can.
  package var obstacle: String?

  /// Bytes that a model takes once prepared.
  package struct MemoryEstimate: Sendable, Hashable {
    /// The prepared weights.
    package var weights: Int
    /// Everything, with so many tokens of context; shortest first.
    package var totals: [Total]

    package struct Total: Sendable, Hashable {
      package var context: Int
      package var byteCount: Int
    }
  }
}

extension ModelInspection {
  /// Looks into a GGUF file, a safetensors file or a folder in the layout of Hugging Face.
  ///
  /// - Throws: what is wrong with the files, each error naming the file, key or tensor.
  package init(path: String) throws {
    if ModelPackage.isCheckpoint(path) {
      try self.init(checkpoint: SafetensorsCheckpoint(path: path))
    } else {
      try self.init(gguf: GGUFFile(path: path))
    }
  }

  static func totals(_ tensors: [Tensor]) -> [TypeTotal] {
    var totals: [String: TypeTotal] = [:]
    for tensor in tensors {
      var total =
        totals[tensor.type]
        ?? TypeTotal(
          type: tensor.type, tensors: 0, byteCount: 0, isSupported: tensor.isSupported)
      total.tensors += 1
      total.byteCount += tensor.byteCount
      totals[tensor.type] = total
    }
    return totals.values.sorted { ($1.byteCount, $0.type) < ($0.byteCount, $1.type) }
  }

  /// Adds what only the whole model tells: tokenizer, template, and whether and how it runs.
  mutating func addModel(tokenizerLabel: String?, _ open: () throws -> ModelPackage) {
    tokenizer = tokenizerLabel
    do {
      let package = try open()
      tokenizer = [package.tokenizer.kind.rawValue, tokenizerLabel.map { "(\($0))" }]
        .compactMap { $0 }.joined(separator: " ")
      hasTemplate = hasTemplate || package.template != nil
      vocabularyCount = vocabularyCount ?? package.tokenizer.count
      let prompts = try PromptBuilder(
        templateSource: package.template, tokenizer: package.tokenizer,
        endOfTurn: package.endOfTurn)
      thinking = prompts.thinking
      memory = try ModelLoader(ModelReference(name: "", path: ""), package: package).estimate()
    } catch {
      obstacle = "\(error)".displayable(limit: 500)
    }
  }
}
