import FoundationEssentials
import JSON
import Kernels
import Transformers
import Weights

/// A model as it is before the conversion: a checkpoint of safetensors or a GGUF file.
enum ConversionSource: Sendable {
  case checkpoint(SafetensorsCheckpoint, configuration: JSONValue)
  case gguf(GGUFFile)

  /// Opens the files; reads their headers only.
  init(path: String) throws {
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isFolder || path.hasSuffix(".safetensors") else {
      self = .gguf(try GGUFFile(path: path))
      return
    }
    let checkpoint = try SafetensorsCheckpoint(path: path)
    let folder = isFolder ? path : Self.parent(of: path)
    guard let configuration = checkpoint.config else {
      throw ConversionError.missingFile("config.json", folder: folder)
    }
    guard FileManager.default.fileExists(atPath: folder + "/tokenizer.json") else {
      throw ConversionError.missingFile("tokenizer.json", folder: folder)
    }
    self = .checkpoint(checkpoint, configuration: configuration)
  }

  var weights: any WeightSource {
    switch self {
    case .checkpoint(let checkpoint, _): checkpoint
    case .gguf(let file): file
    }
  }

  func settings() throws -> ModelSettings {
    switch self {
    case .checkpoint(_, let configuration): ModelSettings(configuration: configuration)
    case .gguf(let file): try ModelSettings(file.metadata)
    }
  }

  /// Bytes of all tensors, those that are not needed included.
  var tensorByteCount: Int {
    switch self {
    case .checkpoint(let checkpoint, _): checkpoint.tensorByteCount
    case .gguf(let file): file.tensorByteCount
    }
  }

  /// The folder that the model's files are in.
  var folder: String {
    let path = weights.path
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder ? path : Self.parent(of: path)
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// What mlx-lm puts before every tensor's name.
  var prefix: String {
    switch self {
    case .checkpoint(_, let configuration):
      let type = configuration["model_type"]?.stringValue ?? ""
      return type == "gemma3" || type.hasPrefix("qwen3_5") ? "language_model." : ""
    case .gguf(let file):
      let name = (try? file.metadata.string("general.architecture")) ?? ""
      return name.hasPrefix("qwen35") ? "language_model." : ""
    }
  }

  /// The type that the model is to be kept in; nil if each tensor keeps its own.
  ///
  /// Of a checkpoint it is what mlx-lm takes, of a GGUF file bfloat16 if matrices are in it, else
  /// float16.
  var numberType: ScaleType? {
    switch self {
    case .checkpoint(_, let configuration):
      let name =
        configuration["torch_dtype"]?.stringValue
        ?? configuration["text_config"]?["dtype"]?.stringValue
      return name.flatMap { ScaleType(name: $0) }
    case .gguf(let file):
      return file.tensors.contains { $0.encoding?.layout == .bf16 } ? .bfloat16 : .float16
    }
  }

  /// What the configuration says of the output being the embedding; nil if the tensors tell.
  var isTied: Bool? {
    guard case .checkpoint(_, let configuration) = self else { return nil }
    let text = configuration["text_config"] ?? configuration
    // Gemma's are tied unless there is an output, whatever the configuration says.
    if text["model_type"]?.stringValue?.hasPrefix("gemma3") == true { return nil }
    return text["tie_word_embeddings"]?.boolValue
      ?? configuration["tie_word_embeddings"]?.boolValue
  }
}
