import Markdown

/// A terminal's screen, as far as Pipit makes use of one: what was written to it, laid out.
///
/// Rows that have left the screen at the top are kept.
struct Screen {
  private(set) var columns: Int
  let height: Int
  /// All rows, those that have left the screen first.
  private var rows: [[Cell]] = [[]]
  /// The rows that go on in the next one because the window was too narrow.
  private var broken: Set<Int> = []
  /// Where the cursor is, in `rows`.
  private var row = 0
  private var column = 0
  private var pending: [UInt8] = []
  /// Sequences that it does not know; there should be none.
  private(set) var unknown: [String] = []
  /// Whether a sequence for looks (`m`) came.
  private(set) var hasStyles = false

  private struct Cell: Equatable {
    var text: String
    /// 0 is the second half of a wide character.
    var width: Int
  }

  init(columns: Int = 80, height: Int = 24) {
    self.columns = columns
    self.height = height
  }

  /// All rows as text, without spaces at their ends and without empty rows at the end.
  var text: String {
    var lines = rows.map { row in
      var line = row.map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Makes the window narrower or wider; rows that were or have to be broken are broken anew.
  mutating func resize(columns new: Int) {
    var lines: [[Cell]] = []
    var cursor = (line: 0, column: 0)
    for (index, cells) in rows.enumerated() {
      if index == 0 || !broken.contains(index - 1) { lines.append([]) }
      if index == row { cursor = (lines.count - 1, lines[lines.count - 1].count + column) }
      lines[lines.count - 1] += cells
    }
    rows = []
    broken = []
    for (index, cells) in lines.enumerated() {
      if index == cursor.line {
        row = rows.count + cursor.column / new
        column = cursor.column % new
      }
      if cells.isEmpty { rows.append([]) }
      for start in stride(from: 0, to: cells.count, by: new) {
        if start > 0 { broken.insert(rows.count - 1) }
        rows.append(Array(cells[start..<min(start + new, cells.count)]))
      }
    }
    while rows.count <= row { rows.append([]) }
    columns = new
  }

  mutating func feed(_ text: String) {
    pending += Array(text.utf8)
    var scalars = String(decoding: pending, as: UTF8.self).unicodeScalars[...]
    pending = []
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\u{1B}": escape(&scalars)
      case "\r": column = 0
      case "\n": lineFeed()
      case "\u{8}": column = max(0, column - 1)
      case "\u{7}": break
      case _ where scalar.value < 0x20: unknown.append("C0 \(scalar.value)")
      default: put(scalar)
      }
    }
  }

  private mutating func escape(_ scalars: inout Substring.UnicodeScalarView) {
    guard let kind = scalars.popFirst() else { return }
    if kind == "]" {
      // An operating system command, to its bell.
      while let next = scalars.popFirst(), next != "\u{7}" {}
      return
    }
    guard kind == "[" else { return unknown.append("ESC \(kind)") }
    var parameters = ""
    while let next = scalars.popFirst() {
      if (0x40...0x7E).contains(next.value) { return control(next, parameters) }
      parameters.unicodeScalars.append(next)
    }
    unknown.append("unfinished")
  }

  private mutating func control(_ final: Unicode.Scalar, _ parameters: String) {
    let count = max(Int(parameters) ?? 1, 1)
    switch final {
    case "A": row = max(row - count, rows.count - height, 0)
    case "B": row = min(row + count, rows.count - 1)
    case "C": column = min(column + count, columns - 1)
    case "D": column = max(column - count, 0)
    case "G": column = count - 1
    case "K" where parameters.isEmpty || parameters == "0":
      broken.remove(row)
      if column < rows[row].count { rows[row].removeLast(rows[row].count - column) }
    case "J" where parameters.isEmpty || parameters == "0":
      if column < rows[row].count { rows[row].removeLast(rows[row].count - column) }
      rows.removeLast(rows.count - row - 1)
      broken = broken.filter { $0 < row }
    case "P":
      rows[row].removeSubrange(min(column, rows[row].count)..<min(column + count, rows[row].count))
    case "@":
      let blank = [Cell](repeating: Cell(text: " ", width: 1), count: count)
      rows[row].insert(contentsOf: blank, at: min(column, rows[row].count))
    case "X":
      for place in column..<min(column + count, rows[row].count) {
        rows[row][place] = Cell(text: " ", width: 1)
      }
    case "m": hasStyles = true
    case "h", "l": break
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  private mutating func lineFeed() {
    row += 1
    if row == rows.count { rows.append([]) }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = TextWidth.columns(scalar)
    if width <= 0 {
      let place = min(column, rows[row].count) - 1
      if place >= 0 { rows[row][place].text.unicodeScalars.append(scalar) }
      return
    }
    if column + width > columns {
      column = 0
      broken.insert(row)
      lineFeed()
    }
    while rows[row].count < column + width { rows[row].append(Cell(text: " ", width: 1)) }
    rows[row][column] = Cell(text: String(scalar), width: width)
    if width == 2 { rows[row][column + 1] = Cell(text: "", width: 0) }
    column += width
  }
}
