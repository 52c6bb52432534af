// A document that is still being written, as rows for a terminal.
//
// Only the last block can change when text is added, so the blocks before it are laid out once and
// their source is dropped: what is parsed again with each piece is the open block alone. Of a long
// one (a list, code) the pieces that have come to an end are handed out early too.

/// Markdown that comes in pieces, laid out as far as it can be.
package struct MarkdownStream: Sendable {
  /// Whether rows can be styled; without, marks say what styles would.
  private let hasStyles: Bool
  /// The source of the blocks that are not finished.
  private var source = ""
  /// Pieces of the first of them that have been handed out.
  private var settledUnits = 0
  /// Whether any row has been handed out, so that the next block is set off by an empty one.
  private var hasRows = false

  /// A block's source beyond which it is not parsed any more: what the library does with some
  /// texts takes time in the square of their length.
  static let longestBlock = 1 << 16

  package init(hasStyles: Bool) {
    self.hasStyles = hasStyles
  }

  /// Adds text, without control characters other than newlines and tabs.
  package mutating func append(_ text: String) {
    source += text
  }

  /// The rows that are final, each handed out once, and after them those that may change.
  package mutating func takeRows(width: Int) -> (settled: [StyledLine], open: [StyledLine]) {
    var settled: [StyledLine] = []
    let layout = BlockLayout(width: width, hasStyles: hasStyles)
    let shown = source.dropLast(Self.undecidedCount(source))
    var blocks = Self.parse(shown + OpenMarkup.closing(shown))
    if source.utf8.count > Self.longestBlock, blocks.count <= 1 { return (takeAll(layout), []) }
    if let last = blocks.last, blocks.count > 1 {
      for placed in blocks.dropLast() { emit(placed.block, layout, into: &settled) }
      dropLines(last.line)
      blocks = [MarkdownParser.Placed(block: last.block, line: 0)]
    }
    guard let last = blocks.last else { return (settled, []) }
    let endsLine = shown.hasSuffix("\n")
    let pieces = layout.units(last.block, endsLine: endsLine)
    let final = max(settledUnits, pieces.units.count - pieces.openCount)
    var open: [StyledLine] = []
    for (index, unit) in pieces.units.enumerated() where index >= settledUnits {
      let setOff = index == 0 && hasRows ? [StyledLine()] : []
      if index < final { settled += setOff + unit } else { open += setOff + unit }
    }
    if final > settledUnits {
      settledUnits = final
      hasRows = true
    }
    return (settled, open)
  }

  /// All rows that are left, when no more text comes.
  package mutating func finish(width: Int) -> [StyledLine] {
    var rows: [StyledLine] = []
    let layout = BlockLayout(width: width, hasStyles: hasStyles)
    for placed in Self.parse(source) { emit(placed.block, layout, into: &rows) }
    source = ""
    return rows
  }

  /// Lays a finished block out, less what has been handed out of it.
  private mutating func emit(
    _ block: Block, _ layout: BlockLayout, into rows: inout [StyledLine]
  ) {
    let units = layout.units(block, endsLine: true).units.dropFirst(settledUnits)
    if settledUnits == 0, hasRows, !units.isEmpty { rows.append(StyledLine()) }
    rows += units.flatMap { $0 }
    hasRows = hasRows || !units.isEmpty
    settledUnits = 0
  }

  private static func parse(_ source: some StringProtocol) -> [MarkdownParser.Placed] {
    source.allSatisfy(\.isWhitespace) ? [] : MarkdownParser.parse(String(source))
  }

  /// How many characters at the end may become markup that they are not yet: a line in the making
  /// of marks alone could be an item, a rule, a fence, or what turns the line above into a heading.
  private static func undecidedCount(_ source: String) -> Int {
    let line = source.reversed().prefix { !$0.isNewline }
    guard line.allSatisfy({ " -=*_+#>|:`~.)0123456789".contains($0) }) else { return 0 }
    return line.count <= 4 || !line.contains(where: \.isNumber) ? line.count : 0
  }

  private mutating func dropLines(_ count: Int) {
    var rest = source[...]
    for _ in 0..<count {
      guard let end = rest.firstIndex(where: \.isNewline) else { break }
      rest = rest[rest.index(after: end)...]
    }
    source = String(rest)
  }

  /// A block that is too long for the parser, as plain text.
  private mutating func takeAll(_ layout: BlockLayout) -> [StyledLine] {
    let text = source
    source = ""
    settledUnits = 0
    hasRows = true
    return LineBreaker.rows(StyledLine(text), width: layout.width)
  }
}
