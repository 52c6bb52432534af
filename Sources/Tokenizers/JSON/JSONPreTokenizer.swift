import JSON

/// What tokenizer.json's `pre_tokenizer` says.
struct JSONPreTokenizer {
  private(set) var preTokenizer = PreTokenizer([])
  /// Text becomes bytes after cutting.
  private(set) var isByteLevel = false

  init(_ value: JSONValue?) throws(TokenizerError) {
    if let value { try append(value, depth: 0) }
  }

  private mutating func append(_ value: JSONValue, depth: Int) throws(TokenizerError) {
    let type = value.type ?? ""
    guard !isByteLevel, depth < 8 else {
      throw .unsupported("The pre_tokenizer", "\(type) after ByteLevel")
    }
    switch type {
    case "Sequence":
      for part in value["pretokenizers"]?.arrayValue ?? [] { try append(part, depth: depth + 1) }
    case "ByteLevel":
      guard value["add_prefix_space"]?.boolValue != true else {
        throw .unsupported("The pre_tokenizer", "ByteLevel with add_prefix_space")
      }
      if value["use_regex"]?.boolValue ?? true {
        preTokenizer.stages.append(.init(PreTokenizer.gpt2Pattern))
      }
      isByteLevel = true
    case "Digits":
      let isIndividual = value["individual_digits"]?.boolValue ?? false
      preTokenizer.stages.append(
        .init(#"\p{N}"#, isIndividual ? .isolated : .contiguous))
    case "Split":
      try appendSplit(value)
    default:
      throw .unsupported("The pre_tokenizer", type)
    }
  }

  private mutating func appendSplit(_ value: JSONValue) throws(TokenizerError) {
    let pattern: String
    if let regex = value["pattern"]?["Regex"]?.stringValue {
      pattern = regex
    } else if let literal = value["pattern"]?["String"]?.stringValue {
      pattern = Self.escaped(literal)
    } else {
      throw .unsupported("The pre_tokenizer", "Split without a pattern")
    }
    let behaviour: PreTokenizer.Behaviour
    switch value["behavior"]?.stringValue {
    case "Isolated": behaviour = .isolated
    case "Removed": behaviour = .removed
    case "MergedWithPrevious": behaviour = .mergedWithPrevious
    case "MergedWithNext": behaviour = .mergedWithNext
    case "Contiguous": behaviour = .contiguous
    case let other: throw .unsupported("The pre_tokenizer", "Split by \(other ?? "nothing")")
    }
    preTokenizer.stages.append(
      .init(pattern, behaviour, inverted: value["invert"]?.boolValue ?? false))
  }

  /// Nothing is cut where there are no spaces.
  var cutsAtSpacesOnly: Bool {
    preTokenizer.stages.allSatisfy { $0.pattern == Self.escaped(" ") && !$0.inverted }
  }

  /// A pattern that matches `literal`.
  private static func escaped(_ literal: String) -> String {
    var pattern = ""
    for scalar in literal.unicodeScalars {
      pattern += scalar.isASCII ? "\\x{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return pattern
  }
}
