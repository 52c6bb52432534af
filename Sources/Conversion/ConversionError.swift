import JSON
import Weights

/// Why a model cannot be converted.
package enum ConversionError: Error, Hashable, Sendable {
  /// Something is there already.
  case outputExists(String)
  /// The output lies within the source, or is it.
  case outputInSource(String)
  case noSpace(folder: String, needed: Int, available: Int)
  case system(path: String, code: Int32)
  /// Another process writes the same output.
  case busy(String)
  /// No layer has a path of this pattern.
  case unmatched(pattern: String, example: String)
  /// Rows that are no whole number of groups, where an override asks for them.
  case partialGroup(tensor: String, columns: Int, group: Int)
  /// Nothing would be quantised.
  case nothingToQuantise(group: Int)
  case notFinite(tensor: String, row: Int)
  /// A number too large for the type that the model is kept in.
  case overflow(tensor: String, row: Int, type: String)
  /// A weight that is neither zero nor ± the largest of its group.
  case notTernary(tensor: String, row: Int, group: Int, size: Float, other: Float)
  /// A file of the source that is needed beside the weights.
  case missingFile(String, folder: String)
  /// A part of a GGUF file that has no counterpart outside.
  case unsupported(GGUFPart, String)
  case cancelled

  /// What of a GGUF file has no counterpart.
  package enum GGUFPart: String, Sendable, Hashable {
    case architecture
    case tokenizer
    case rotation
  }
}

extension ConversionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .outputExists(let path):
      "\(path) exists already; name a folder that does not."
    case .outputInSource(let path):
      "\(path) is within the model that is to be converted; name a folder elsewhere."
    case .noSpace(let folder, let needed, let available):
      "\(folder) has \(available) bytes free and the converted model takes \(needed)."
    case .system(let path, let code):
      "\(path) cannot be written: \(systemReason(code))."
    case .busy(let path):
      "Another conversion is writing \(path)."
    case .unmatched(let pattern, let example):
      "No layer matches \"\(pattern.displayable(limit: 120))\"; a layer's path is such as \(example)."
    case .partialGroup(let tensor, let columns, let group):
      "\(tensor) has rows of \(columns), which is no multiple of the group of \(group)."
    case .nothingToQuantise(let group):
      "No layer has rows that are a multiple of the group of \(group)."
    case .notFinite(let tensor, let row):
      "\(tensor) has a weight in row \(row) that is infinite or not a number."
    case .overflow(let tensor, let row, let type):
      "\(tensor) has a number in row \(row) that is too large for \(type)."
    case .notTernary(let tensor, let row, let group, let size, let other):
      """
      \(tensor) is not ternary: in row \(row), group \(group), the largest weight is ±\(size) and \
      another is \(other), neither zero nor that. An override can give this layer another form.
      """
    case .missingFile(let name, let folder):
      "The model in \(folder) lacks \(name)."
    case .unsupported(let part, let what):
      "The file's \(part.rawValue), \(what), cannot be written outside GGUF."
    case .cancelled:
      "The conversion was cancelled."
    }
  }
}
