/// Lays out a table: columns as wide as their cells, narrowed where the row would be too long, or
/// a list of its fields where even that does not fit.
struct TableLayout {
  private let layout: BlockLayout
  private let alignments: [Block.Alignment]
  private let cells: [[StyledLine]]

  /// A column narrower than this is not readable.
  private static let narrowest = 6
  private static let gap = 3

  init(_ table: Block.Table, _ layout: BlockLayout) {
    self.layout = layout
    alignments = table.alignments
    cells = table.rows.enumerated().map { index, row in
      let cells = row.prefix(table.alignments.count).map {
        layout.styled($0, index == 0 ? .bold : [])
      }
      let missing = table.alignments.count - cells.count
      return cells + [StyledLine](repeating: StyledLine(), count: missing)
    }
  }

  var lines: [StyledLine] {
    guard !alignments.isEmpty, !cells.isEmpty else { return [] }
    guard let widths else { return records }
    var result: [StyledLine] = []
    for (index, row) in cells.enumerated() {
      result += rows(row, widths)
      if index == 0 { result.append(rule(widths)) }
    }
    return result
  }

  /// The columns' widths; nil when they do not fit.
  private var widths: [Int]? {
    var widths = alignments.indices.map { column in
      max(cells.map { $0[column].width }.max() ?? 1, 1)
    }
    let room = layout.width - Self.gap * (widths.count - 1)
    guard room >= widths.reduce(0, { $0 + min($1, Self.narrowest) }) else { return nil }
    var excess = widths.reduce(0, +) - room
    // The widest gives first.
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
      let next = widths.filter { $0 < widths[widest] }.max() ?? Self.narrowest
      let cut = min(excess, max(widths[widest] - max(next, Self.narrowest), 1))
      widths[widest] -= cut
      excess -= cut
    }
    return widths
  }

  private func rows(_ row: [StyledLine], _ widths: [Int]) -> [StyledLine] {
    let broken = zip(row, widths).map { LineBreaker.rows($0, width: $1) }
    let height = broken.map(\.count).max() ?? 1
    return (0..<height).map { place in
      var line = StyledLine()
      for column in broken.indices {
        if column > 0 { line.append(Span(" │ ", .dim)) }
        let cell = place < broken[column].count ? broken[column][place] : StyledLine()
        let isLast = column == broken.count - 1
        line.append(padded(cell, to: widths[column], alignments[column], isLast: isLast))
      }
      return line
    }
  }

  private func padded(
    _ cell: StyledLine, to width: Int, _ alignment: Block.Alignment, isLast: Bool
  ) -> StyledLine {
    let free = max(0, width - cell.width)
    let before =
      switch alignment {
      case .left: 0
      case .center: free / 2
      case .right: free
      }
    var line = StyledLine(String(repeating: " ", count: before))
    line.append(cell)
    if !isLast { line.append(Span(String(repeating: " ", count: free - before))) }
    return line
  }

  private func rule(_ widths: [Int]) -> StyledLine {
    StyledLine(
      widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─"), .dim)
  }

  /// Each row as lines of "header: cell".
  private var records: [StyledLine] {
    var result: [StyledLine] = []
    for row in cells.dropFirst() {
      if !result.isEmpty { result.append(StyledLine()) }
      for (header, cell) in zip(cells[0], row) {
        var line = header
        line.append(Span(": ", .bold))
        line.append(cell)
        result += LineBreaker.rows(line, width: layout.width)
      }
    }
    return result
  }
}
