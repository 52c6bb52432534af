import Markdown

/// The last rows on a terminal, which are drawn again as they change.
///
/// Rows above it are written once and never touched. Only what differs is written. Begins with the
/// cursor at the left edge of an empty row.
struct LiveRegion {
  private let hasStyles: Bool
  private var rows: [Row] = []
  /// Where the cursor is, counted from the region's first row.
  private var cursor = (row: 0, column: 0)
  /// The terminal's columns when the rows were drawn.
  private(set) var columns: Int

  private struct Row: Equatable {
    let text: String
    let width: Int
    /// Whether its end is where `width` says on any terminal.
    let isCertain: Bool
  }

  init(hasStyles: Bool, columns: Int) {
    self.hasStyles = hasStyles
    self.columns = columns
  }

  /// What to write so that the terminal shows `settled`, which leaves the region, and after it
  /// `open` with the cursor at the end of row `focus` of it.
  ///
  /// `open` has at most as many rows as the screen less one; each row fits `columns`.
  mutating func update(
    settled: [StyledLine], open: [StyledLine], focus: Int, columns newColumns: Int
  ) -> String {
    var output = ""
    if newColumns != columns { output += clear(columns: newColumns) }
    columns = newColumns
    let target = (settled + open).map { line in
      Row(
        text: line.rendered(hasStyles: hasStyles), width: line.width,
        isCertain: TextWidth.isCertain(line.text))
    }
    for (index, row) in target.enumerated() {
      let old = index < rows.count ? rows[index] : nil
      if old == row { continue }
      if let old, old.isCertain, !old.text.isEmpty, row.text.hasPrefix(old.text) {
        output += move(to: index, column: old.width)
        output += row.text.dropFirst(old.text.count)
      } else {
        output += move(to: index, column: 0)
        let mayBeLonger = old.map { $0.width > row.width || !$0.isCertain } ?? false
        output += row.text + (mayBeLonger ? "\u{1B}[K" : "")
      }
      cursor.column = row.width
      if index < rows.count { rows[index] = row } else { rows.append(row) }
    }
    if rows.count > target.count {
      output += move(to: target.count, column: 0) + "\u{1B}[J"
      rows.removeLast(rows.count - target.count)
    }
    let isEmpty = open.isEmpty
    if isEmpty, !settled.isEmpty { output += move(to: target.count, column: 0) }
    if !isEmpty {
      let row = settled.count + min(max(focus, 0), open.count - 1)
      output += move(to: row, column: rows[row].width)
    }
    rows.removeFirst(min(settled.count, rows.count))
    cursor.row -= settled.count
    // Terminals that know it show the frame in one piece; the others do nothing.
    return output.isEmpty ? "" : "\u{1B}[?2026h" + output + "\u{1B}[?2026l"
  }

  /// Goes to the region's beginning and clears from there, after the window has become `columns`
  /// wide: rows that are too long for it have been broken by the terminal.
  private mutating func clear(columns: Int) -> String {
    func height(_ width: Int) -> Int { max(1, (width + columns - 1) / max(columns, 1)) }
    let above = rows.prefix(cursor.row).reduce(0) { $0 + height($1.width) }
    let up = above + cursor.column / max(columns, 1)
    rows = []
    cursor = (0, 0)
    return "\r" + (up > 0 ? "\u{1B}[\(up)A" : "") + "\u{1B}[J"
  }

  /// Row `rows.count` is a new one below the last.
  private mutating func move(to row: Int, column: Int) -> String {
    var output = ""
    if row > cursor.row, row >= rows.count {
      let last = max(rows.count - 1, 0)
      if last > cursor.row { output += "\u{1B}[\(last - cursor.row)B" }
      output += "\r\n"
      cursor = (row, 0)
    } else if row != cursor.row {
      let distance = abs(row - cursor.row)
      output += "\u{1B}[\(distance)\(row < cursor.row ? "A" : "B")"
      cursor.row = row
    }
    if column != cursor.column {
      output += "\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
      cursor.column = column
    }
    return output
  }
}
