/// Why a definition makes no tokenizer, or a text no tokens.
package enum TokenizerError: Error, Hashable {
  case unknownModel(String)
  case unknownPreTokenizer(String?)
  case unknownTokenKind(id: Int, kind: Int)

  case emptyVocabulary
  case tooMany(of: String, count: Int, limit: Int)
  case countMismatch(of: String, count: Int, pieces: Int)
  case duplicatePiece(String, first: Int, second: Int)
  case malformedMerge(rank: Int, String)
  case unknownMergePart(rank: Int, String)
  case unknownMergeResult(rank: Int, String)
  case invalidScore(id: Int)
  case malformedByte(id: Int, String)
  case emptyLiteral(id: Int)
  case literalTooLong(id: Int, count: Int, limit: Int)
  case literalHoldsGuard(id: Int)
  case roleOutside(role: String, id: Int, pieces: Int)

  case invalidJSON(offset: Int, reason: String)
  case missing(String)
  case unsupported(String, String)
  case duplicateID(Int, String, String)
  case sparseIDs(greatest: Int, entries: Int)

  case unsupportedPattern(String, construct: String)
  case invalidPattern(String, offset: Int, reason: String)
  case patternFailed(String, offset: Int, reason: String)
  case outOfMemory
}

extension TokenizerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownModel(let name):
      "The tokenizer model \(name.quoted) is not one that Pipit knows."
    case .unknownPreTokenizer(let name?):
      "The pre-tokeniser \(name.quoted) is not one that Pipit knows."
    case .unknownPreTokenizer(nil):
      "The file does not say which pre-tokeniser its vocabulary needs."
    case .unknownTokenKind(let id, let kind):
      "Vocabulary entry \(id) has the unknown type \(kind)."
    case .emptyVocabulary:
      "The vocabulary is empty."
    case .tooMany(let things, let count, let limit):
      "The tokenizer has \(count) \(things), more than the limit of \(limit)."
    case .countMismatch(let things, let count, let pieces):
      "The tokenizer has \(count) \(things) for \(pieces) vocabulary entries."
    case .duplicatePiece(let piece, let first, let second):
      "Vocabulary entries \(first) and \(second) are both \(piece.quoted)."
    case .malformedMerge(let rank, let merge):
      "Merge rule \(rank), \(merge.quoted), is not two pieces with a space between."
    case .unknownMergePart(let rank, let piece):
      "Merge rule \(rank) joins \(piece.quoted), which is not in the vocabulary."
    case .unknownMergeResult(let rank, let piece):
      "Merge rule \(rank) makes \(piece.quoted), which is not in the vocabulary."
    case .invalidScore(let id):
      "The score of vocabulary entry \(id) is not a number."
    case .malformedByte(let id, let piece):
      "Vocabulary entry \(id), \(piece.quoted), is marked as a byte and is not spelled like <0x0A>."
    case .emptyLiteral(let id):
      "The special token \(id) is empty."
    case .literalTooLong(let id, let count, let limit):
      "The special token \(id) has \(count) bytes, more than the limit of \(limit)."
    case .literalHoldsGuard(let id):
      "The special token \(id) holds U+FDD0 or U+FDD1, which Pipit keeps for itself."
    case .roleOutside(let role, let id, let pieces):
      "The \(role) token is \(id), outside the vocabulary of \(pieces) entries."
    case .invalidJSON(let offset, let reason):
      "The tokenizer's JSON is wrong at byte \(offset): \(reason)."
    case .missing(let part):
      "tokenizer.json has no \(part)."
    case .unsupported(let part, let value):
      "\(part) of tokenizer.json is \(value.quoted), which Pipit does not support."
    case .duplicateID(let id, let first, let second):
      "The tokens \(first.quoted) and \(second.quoted) both have the id \(id)."
    case .sparseIDs(let greatest, let entries):
      "tokenizer.json has \(entries) tokens with ids up to \(greatest)."
    case .unsupportedPattern(let pattern, let construct):
      "The tokenizer pattern \(pattern.quoted) uses \(construct.quoted), which Pipit does not support."
    case .invalidPattern(let pattern, let offset, let reason):
      "The tokenizer pattern \(pattern.quoted) is wrong at offset \(offset): \(reason)."
    case .patternFailed(let pattern, let offset, let reason):
      "The tokenizer pattern \(pattern.quoted) failed at byte \(offset) of the text: \(reason)."
    case .outOfMemory:
      "There is not enough memory to cut the text into tokens."
    }
  }
}

extension String {
  /// The start of a string from a file, fit to be shown.
  fileprivate var quoted: String {
    let limit = 60
    var shown = ""
    for (position, scalar) in unicodeScalars.enumerated() {
      guard position < limit else { return "\"\(shown)…\"" }
      shown += scalar.shown
    }
    return "\"\(shown)\""
  }
}

extension Unicode.Scalar {
  /// The character, or an escape for controls and for what reorders a line.
  fileprivate var shown: String {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
      "\\u{\(String(value, radix: 16))}"
    default:
      String(self)
    }
  }
}
