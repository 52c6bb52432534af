import FoundationEssentials
import JSON
import Kernels
import Transformers
import Weights

/// A file beside the weights.
struct SmallFile: Sendable {
  let name: String
  let bytes: [UInt8]

  var byteCount: Int { bytes.count }

  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  init(_ name: String, _ json: JSONValue) {
    self.init(name, Array((json.indentedText + "\n").utf8))
  }

  /// What a tokenizer, a template and a licence may be spread over.
  private static let copied = [
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "vocab.json", "merges.txt", "tokenizer.model", "chat_template.jinja", "chat_template.json",
    "generation_config.json", "LICENSE", "LICENSE.txt", "LICENSE.md", "NOTICE", "NOTICE.txt",
  ]

  static func files(
    _ source: ConversionSource, exchange: TensorExchange, quantisation: JSONValue,
    numberType: ScaleType?, index: JSONValue
  ) throws -> [SmallFile] {
    var files = [SmallFile("model.safetensors.index.json", index)]
    let configuration: JSONValue
    switch source {
    case .checkpoint(_, let original):
      var generation: JSONValue?
      for name in copied {
        let path = source.folder + "/" + name
        guard FileManager.default.fileExists(atPath: path) else { continue }
        let bytes = try MappedFile(path: path).bytes.array
        files.append(SmallFile(name, bytes))
        if name == "generation_config.json" { generation = try? JSONReader.read(bytes) }
      }
      configuration = MLXConfiguration.converted(
        original, generation: generation, isTied: exchange.isTied)
    case .gguf(let file):
      configuration = try GGUFConfiguration(
        file, exchange, numberType: numberType ?? .float16
      ).json()
      files += try GGUFTokenizer(file.metadata).files()
    }
    // Last: what has no configuration is loaded by nobody.
    return files + [
      SmallFile("config.json", MLXConfiguration.quantised(configuration, by: quantisation))
    ]
  }
}
