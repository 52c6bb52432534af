/// Lays blocks out into rows of a width.
struct BlockLayout {
  /// Columns that a row may take.
  let width: Int
  /// Whether rows can be styled; without, marks say what styles would.
  let hasStyles: Bool

  /// Longer rows of prose are hard to read, however wide the terminal.
  static let widestProse = 100

  /// A block in pieces, of which all but `openCount` at the end stay as they are whatever is
  /// added to the block.
  struct Units {
    var units: [[StyledLine]]
    var openCount: Int
  }

  /// The pieces of a block that may still grow; `endsLine` is whether its source has come to the
  /// end of a line.
  func units(_ block: Block, endsLine: Bool) -> Units {
    switch block {
    case .code(let language, let text, isFenced: true):
      let units = code(language, text)
      // The last line may be in the making, and the end mark goes when a line is added.
      return Units(units: units, openCount: min(endsLine ? 1 : 2, units.count))
    case .list(let list):
      return Units(units: items(list, level: 0), openCount: 1)
    default:
      return Units(units: [lines(block)], openCount: 1)
    }
  }

  /// The rows of a block.
  func lines(_ block: Block, level: Int = 0) -> [StyledLine] {
    switch block {
    case .paragraph(let inlines): return prose(inlines, [])
    case .heading(let depth, let inlines): return heading(depth, inlines)
    case .code(let language, let text, _): return code(language, text).flatMap { $0 }
    case .quote(let blocks): return quote(blocks, level: level)
    case .list(let list): return items(list, level: level).flatMap { $0 }
    case .table(let table): return TableLayout(table, self).lines
    case .rule: return [StyledLine(String(repeating: "─", count: min(width, 40)), .dim)]
    case .html(let text):
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().flatMap {
        LineBreaker.hardRows(StyledLine(String($0), .dim), width: width)
      }
    }
  }

  /// The rows of blocks with an empty one between each two.
  func lines(_ blocks: [Block], level: Int) -> [StyledLine] {
    var result: [StyledLine] = []
    for (index, block) in blocks.enumerated() {
      // A list goes right below the text that it belongs to.
      if index > 0, !(level > 0 && block.isList) { result.append(StyledLine()) }
      result += lines(block, level: level)
    }
    return result
  }

  private func prose(_ inlines: [Inline], _ style: TextStyle) -> [StyledLine] {
    LineBreaker.rows(styled(inlines, style), width: min(width, Self.widestProse))
  }

  private func heading(_ depth: Int, _ inlines: [Inline]) -> [StyledLine] {
    let style: TextStyle = depth == 1 ? [.heading, .underline] : .heading
    if hasStyles { return prose(inlines, style) }
    return prose([.text(String(repeating: "#", count: depth) + " ")] + inlines, style)
  }

  /// A label, each line of the code, and a mark of the end.
  ///
  /// The code begins at the left edge and has no bar beside it, so that it can be copied.
  private func code(_ language: String, _ text: String) -> [[StyledLine]] {
    var highlighter = Highlighter(language: language)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    let label = language.isEmpty ? "" : " " + language
    return [[StyledLine("┌──" + label, .dim).truncated(to: width)]]
      + lines.map { line in
        LineBreaker.hardRows(highlighter.line(Self.untabbed(line)), width: width)
      } + [[StyledLine("└──", .dim)]]
  }

  private static func untabbed(_ line: Substring) -> Substring {
    guard line.contains("\t") else { return line }
    var result = ""
    for character in line {
      if character == "\t" {
        result += String(repeating: " ", count: 4 - result.count % 4)
      } else {
        result.append(character)
      }
    }
    return result[...]
  }

  private func quote(_ blocks: [Block], level: Int) -> [StyledLine] {
    let inner = narrowed(by: 2)
    return inner.lines(blocks, level: level).map { line in
      var quoted = StyledLine("│ ", .dim)
      quoted.append(line)
      return quoted
    }
  }

  private func items(_ list: Block.List, level: Int) -> [[StyledLine]] {
    list.items.enumerated().map { index, item in
      let mark = marker(item, number: list.start.map { $0 + index }, level: level)
      let indent = TextWidth.columns(mark)
      var rows = narrowed(by: indent).lines(item.blocks, level: level + 1)
      if rows.isEmpty { rows = [StyledLine()] }
      for place in rows.indices {
        var line = StyledLine()
        if place == 0 {
          line.append(Span(mark, .dim))
        } else if !rows[place].isEmpty {
          line.append(Span(String(repeating: " ", count: indent)))
        }
        line.append(rows[place])
        rows[place] = line
      }
      return (item.isSetOff && index > 0 ? [StyledLine()] : []) + rows
    }
  }

  private func marker(_ item: Block.Item, number: Int?, level: Int) -> String {
    if let isDone = item.isDone { return isDone ? "☑ " : "☐ " }
    if let number { return "\(number). " }
    return ["• ", "◦ ", "▪ "][min(level, 2)]
  }

  private func narrowed(by columns: Int) -> BlockLayout {
    BlockLayout(width: max(width - columns, 4), hasStyles: hasStyles)
  }

  /// Text of inline elements, not yet broken into rows.
  func styled(_ inlines: [Inline], _ style: TextStyle) -> StyledLine {
    var line = StyledLine()
    for inline in inlines {
      switch inline {
      case .text(let text): line.append(Span(text, style))
      case .lineBreak: line.append(Span("\n", style))
      case .code(let text):
        line.append(Span(hasStyles ? text : "`\(text)`", style.union(.code)))
      case .math(let text): line.append(Span(text, style.union(.italic)))
      case .emphasis(let inner): line.append(styled(inner, style.union(.italic)))
      case .strong(let inner): line.append(styled(inner, style.union(.bold)))
      case .strike(let inner): line.append(styled(inner, style.union(.strike)))
      case .link(let inner, let url):
        let text = styled(inner, style.union(.underline))
        line.append(text)
        if !url.isEmpty, text.text != url, "mailto:" + text.text != url {
          line.append(Span(" (\(url))", style.union(.dim)))
        }
      }
    }
    return line
  }
}

extension Block {
  fileprivate var isList: Bool {
    if case .list = self { true } else { false }
  }
}
