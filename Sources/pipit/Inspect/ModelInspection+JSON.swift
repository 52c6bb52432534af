import JSON
import Inference
import Weights

extension ModelInspection {
  func json(_ model: ModelReference) -> JSONValue {
    .members([
      ("model", .string(model.name)), ("path", .string(model.path)),
      ("format", .string(form.name)),
      (
        "files",
        .array(
          files.map { .members([("path", .string($0.path)), ("bytes", .integer($0.byteCount))]) })
      ),
      ("architecture", .optional(architecture)), ("name", .optional(name)),
      ("parameters", .integer(parameterCount)), ("context_length", .optional(contextLength)),
      ("layers", .optional(layerCount)), ("vocabulary", .optional(vocabularyCount)),
      ("tokenizer", .optional(tokenizer)), ("chat_template", .bool(hasTemplate)),
      ("thinking", .optional(thinking?.rawValue)), ("runs", .bool(obstacle == nil)),
      ("obstacle", .optional(obstacle)), ("memory", memory?.json ?? .null),
      ("types", .array(types.map(\.json))), ("tensors", .array(tensors.map(\.json))),
      ("metadata", .members(metadata.map { ($0.key, $0.value.json) })),
    ])
  }
}

extension ModelInspection.MemoryEstimate {
  fileprivate var json: JSONValue {
    .members([
      ("weights_bytes", .integer(weights)),
      (
        "totals",
        .array(
          totals.map {
            .members([
              ("context_length", .integer($0.context)), ("bytes", .integer($0.byteCount)),
            ])
          })
      ),
    ])
  }
}

extension ModelInspection.TypeTotal {
  fileprivate var json: JSONValue {
    .members([
      ("type", .string(type)), ("tensors", .integer(tensors)), ("bytes", .integer(byteCount)),
      ("supported", .bool(isSupported)),
    ])
  }
}

extension ModelInspection.Tensor {
  fileprivate var json: JSONValue {
    .members([
      ("name", .string(name)), ("type", .string(type)),
      ("shape", .array(shape.map { .integer($0) })), ("bytes", .integer(byteCount)),
    ])
  }
}

extension MetadataValue {
  /// An array that is cut is an object of its count and first elements.
  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .number(let value): .number(value)
    case .text(let text, _): .string(text)
    case .array(let first, let count) where first.count < count:
      .members([("count", .integer(count)), ("first", .array(first.map(\.json)))])
    case .array(let all, _): .array(all.map(\.json))
    }
  }
}

extension CheckpointForm {
  /// What JSON calls it.
  fileprivate var name: String {
    switch self {
    case .gguf: "gguf"
    case .mlx: "mlx"
    case .huggingFace: "huggingface"
    }
  }
}
