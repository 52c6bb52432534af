extension TokenizerDefinition.Merges {
  /// Rules; an odd part at the end is none.
  var count: Int {
    switch self {
    case .joined(let strings): strings.count
    case .parts(let strings): strings.count / 2
    }
  }

  var strings: ByteStrings {
    switch self {
    case .joined(let strings), .parts(let strings): strings
    }
  }

  /// The places of a rule's two parts in the bytes of `strings`.
  func parts(_ rank: Int) throws(TokenizerError) -> (Range<Int>, Range<Int>) {
    switch self {
    case .parts(let strings):
      return (strings.range(2 * rank), strings.range(2 * rank + 1))
    case .joined(let strings):
      let range = strings.range(rank)
      let text = strings.bytes.span
      // Both spellings write the space otherwise, so the space between is the only one.
      var space = range.lowerBound
      while space < range.upperBound, text[space] != 0x20 { space += 1 }
      guard range.lowerBound < space, space + 1 < range.upperBound else {
        throw .malformedMerge(rank: rank, strings.text(rank))
      }
      return (range.lowerBound..<space, space + 1..<range.upperBound)
    }
  }
}
