import Inference
import Weights

extension ModelInspection {
  /// Facts, types, tensors and metadata, a line each.
  func text(_ model: ModelReference) -> String {
    let typeWidth = types.map(\.type.count).max() ?? 0
    let nameWidth = min(tensors.map(\.name.count).max() ?? 0, 48)
    let sections: [(title: String, lines: [String])] = [
      (model.name, facts.map { padded($0.0, 15) + $0.1 }),
      (
        "Types",
        types.map { total in
          padded(total.type, typeWidth + 2) + padded("\(Figures.grouped(total.tensors)) ×", 9)
            + Figures.bytes(total.byteCount) + (total.isSupported ? "" : "  not supported")
        }
      ),
      (
        "Tensors",
        tensors.map { tensor in
          padded(tensor.name, nameWidth + 2) + padded(tensor.type, typeWidth + 2)
            + padded(tensor.shape.map(String.init).joined(separator: " × "), 16)
            + Figures.bytes(tensor.byteCount)
        }
      ),
      ("Metadata", metadata.map { "\($0.key)  \($0.value.line)" }),
    ]
    return sections.filter { !$0.lines.isEmpty }
      .map { ([$0.title] + $0.lines.map { "  " + $0 }).joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var facts: [(String, String)] {
    let size = files.reduce(0) { $0 + $1.byteCount }
    let rows: [(String, String?)] = [
      ("format", form.title),
      ("size", Figures.bytes(size) + (files.count > 1 ? " in \(files.count) files" : "")),
      ("architecture", architecture), ("name", name),
      ("parameters", Figures.grouped(parameterCount)),
      ("tensors", Figures.grouped(tensors.count)),
      ("context", contextLength.map { Figures.tokens($0) }),
      ("layers", layerCount.map { Figures.grouped($0) }),
      ("vocabulary", vocabularyCount.map { Figures.tokens($0) }),
      ("tokenizer", tokenizer), ("chat template", hasTemplate ? "yes" : "none"),
      ("thinking", thinking.map(\.words)), ("memory", memory.map(\.line)),
      ("does not run", obstacle),
    ]
    return rows.compactMap { label, value in value.map { (label, $0) } }
  }
}

/// With spaces after it; a longer text gets one.
private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

extension ModelInspection.MemoryEstimate {
  fileprivate var line: String {
    let contexts = totals.map {
      "\(Figures.bytes($0.byteCount)) with \(Figures.tokens($0.context)) of context"
    }
    return (["\(Figures.bytes(weights)) of weights"] + contexts).joined(separator: ", ")
  }
}

extension ThinkingKind {
  fileprivate var words: String {
    switch self {
    case .none: "never"
    case .always: "always"
    case .switchable: "can be switched"
    }
  }
}

extension CheckpointForm {
  fileprivate var title: String {
    switch self {
    case .gguf: "GGUF"
    case .mlx: "safetensors of MLX"
    case .huggingFace: "safetensors"
    }
  }
}

extension MetadataValue {
  /// On one line; long texts and arrays are cut further than in JSON.
  fileprivate var line: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .number(let value): String(value)
    case .text(let text, let length):
      text.count > 60
        ? "\"\(text.prefix(60))…\" (\(Figures.grouped(length)) characters)" : "\"\(text)\""
    case .array(let first, let count):
      first.count < count
        ? "[\(first.prefix(3).map(\.line).joined(separator: ", ")), …]"
          + " (\(Figures.grouped(count)) elements)"
        : "[\(first.map(\.line).joined(separator: ", "))]"
    }
  }
}
