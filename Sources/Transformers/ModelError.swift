/// Why a file does not describe a model that Pipit can run.
package enum ModelError: Error, Hashable, Sendable {
  case unknownArchitecture(String, known: [String])
  case noArchitecture
  case missingSetting(String)
  /// A setting whose value makes no sense, and why.
  case setting(String, String)
  case missingTensor(String)
  /// A tensor that no part of the architecture accounts for.
  case unknownTensor(String)
  /// Two spellings of one name, each with a tensor.
  case sameTensor(String, String)
  case shape(tensor: String, expected: [Int], found: [Int])
  case tokenOutOfRange(Int, vocabulary: Int)
  /// More positions than the state was made for.
  case contextExceeded(needed: Int, context: Int)
  /// The numbers left the range of float32 on the way to the logits.
  case logitsNotFinite(position: Int)
  case cancelled
}

extension ModelError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownArchitecture(let name, let known):
      "The architecture \"\(name)\" is not one that Pipit runs (\(known.joined(separator: ", ")))."
    case .noArchitecture:
      "The file does not say which architecture it holds."
    case .missingSetting(let key):
      "The file lacks the setting \"\(key)\"."
    case .setting(let key, let reason):
      "The setting \"\(key)\" makes no sense: \(reason)."
    case .missingTensor(let name):
      "The file lacks the tensor \"\(name)\"."
    case .unknownTensor(let name):
      "The tensor \"\(name)\" is no part of the model that the file says it holds."
    case .sameTensor(let first, let second):
      "The file has two tensors for one place: \"\(first)\" and \"\(second)\"."
    case .shape(let tensor, let expected, let found):
      "The tensor \"\(tensor)\" has the shape \(found), not \(expected)."
    case .tokenOutOfRange(let token, let vocabulary):
      "Token \(token) is outside the vocabulary of \(vocabulary)."
    case .contextExceeded(let needed, let context):
      "\(needed) positions are needed and the context has \(context)."
    case .logitsNotFinite(let position):
      "The logits at position \(position) are not finite: the weights or the numbers are damaged."
    case .cancelled:
      "The computation was cancelled."
    }
  }
}
