/// What is searched for: words, and phrases between quotation marks, all of which must occur.
struct SearchQuery: Sendable {
  struct Term: Sendable {
    /// For the inside of JSON strings.
    let json: FoldedPattern
    /// For plain text.
    let plain: FoldedPattern
  }

  let terms: [Term]

  init(_ text: String) {
    var words: [String] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      // Every second part stands between quotation marks.
      if index % 2 == 1 {
        words.append(part.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      } else {
        words += part.split(whereSeparator: \.isWhitespace).map(String.init)
      }
    }
    terms = words.compactMap { word in
      guard let json = FoldedPattern(word, isInJSON: true),
        let plain = FoldedPattern(word, isInJSON: false)
      else { return nil }
      return Term(json: json, plain: plain)
    }
  }
}
