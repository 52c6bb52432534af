import JSON
import FoundationEssentials
import Tokenizers
import Transformers
import Weights

extension ModelPackage {
  /// A folder in the layout of Hugging Face: safetensors, config.json, tokenizer.json and, where
  /// they exist, tokenizer_config.json, generation_config.json and chat_template.jinja.
  init(checkpoint: SafetensorsCheckpoint) throws {
    let files = CheckpointFiles(folder: checkpoint.path)
    guard let configuration = checkpoint.config else {
      throw ModelPackageError.missingFile("config.json", folder: files.folder)
    }
    guard let tokenizerBytes = try files.bytes("tokenizer.json") else {
      throw ModelPackageError.missingFile("tokenizer.json", folder: files.folder)
    }
    let tokenizerConfiguration = try files.bytes("tokenizer_config.json").map {
      try TokenizerConfiguration($0)
    }
    let generation = try files.json("generation_config.json")

    source = checkpoint
    settings = ModelSettings(configuration: configuration)
    var definition = try TokenizerDefinition(tokenizerJSON: tokenizerBytes)
    if let tokenizerConfiguration { definition.apply(tokenizerConfiguration) }
    tokenizer = try Tokenizer(definition)
    template =
      try files.text("chat_template.jinja") ?? tokenizerConfiguration?.chatTemplate
    endOfTurn = EndOfTurn.tokens(
      configuration: (configuration["text_config"]?.tokens("eos_token_id") ?? [])
        + configuration.tokens("eos_token_id"),
      generationConfiguration: generation?.tokens("eos_token_id") ?? [],
      gguf: [tokenizer.roles.end].compactMap { $0 }, tokenizer: tokenizer)
    sampling = try generation.flatMap { try SamplingOverrides($0) }
  }
}

/// The small files of a checkpoint's folder.
private struct CheckpointFiles {
  let folder: String

  init(folder: String) {
    self.folder =
      folder.hasSuffix(".safetensors")
      ? String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]) : folder
  }

  /// The file's bytes; nil where there is no such file.
  func bytes(_ name: String) throws -> [UInt8]? {
    let path = "\(folder)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try MappedFile(path: path).bytes.array
  }

  func text(_ name: String) throws -> String? {
    try bytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  func json(_ name: String) throws -> JSONValue? {
    let path = "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? try JSONReader.read(path: path) : nil
  }
}

/// What a folder lacks to be a model.
package enum ModelPackageError: Error, Hashable, CustomStringConvertible {
  case missingFile(String, folder: String)

  package var description: String {
    switch self {
    case .missingFile(let name, let folder): "The model in \(folder) lacks \(name)."
    }
  }
}

extension JSONValue {
  /// One token id, or a list of them.
  fileprivate func tokens(_ key: String) -> [TokenID] {
    let values = self[key]?.arrayValue ?? self[key].map { [$0] } ?? []
    return values.compactMap { $0.intValue.flatMap { TokenID(exactly: $0) } }
  }
}

extension SamplingOverrides {
  /// The recommendations of generation_config.json; nil where there are none.
  ///
  /// `do_sample: false` is transformers' default and says nothing of how a chat should sample.
  fileprivate init?(_ generation: JSONValue) throws {
    self.init(
      temperature: generation["temperature"]?.doubleValue,
      topK: generation["top_k"]?.intValue,
      topP: generation["top_p"]?.doubleValue,
      minP: generation["min_p"]?.doubleValue,
      repetitionPenalty: generation["repetition_penalty"]?.doubleValue)
    if isEmpty { return nil }
  }
}
