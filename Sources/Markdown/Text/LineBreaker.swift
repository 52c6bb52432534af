/// Breaks text into rows: between words, and within a word only where it is longer than a row or
/// the script has no spaces.
package struct LineBreaker {
  private let width: Int
  private var rows: [StyledLine] = []
  private var row: [Cluster] = []
  private var rowWidth = 0

  private struct Cluster {
    let character: Character
    let style: TextStyle
    let width: Int

    var isSpace: Bool { character == " " || character == "\t" }
    /// Ideographs, kana and wide punctuation, which need no space between them.
    var isWide: Bool { width == 2 }
    /// What must not begin a row.
    var isClosing: Bool { "、。，．：；！？）」』】〉》〕…ー々".contains(character) }
    /// What must not end one.
    var isOpening: Bool { "（「『【〈《〔".contains(character) }
  }

  private init(width: Int) {
    self.width = max(width, 1)
  }

  /// The rows of a text, at least one; a newline in it begins a row.
  package static func rows(_ line: StyledLine, width: Int) -> [StyledLine] {
    var breaker = LineBreaker(width: width)
    for span in line.spans {
      for character in span.text { breaker.take(character, span.style) }
    }
    breaker.endRow(breaker.row)
    return breaker.rows
  }

  /// The rows of a text that is broken at the width alone, spaces kept, as code is.
  package static func hardRows(_ line: StyledLine, width: Int) -> [StyledLine] {
    var rows = [StyledLine()]
    var column = 0
    for span in line.spans {
      for character in span.text {
        let columns = TextWidth.columns(character)
        if column + columns > max(width, 2), column > 0 {
          rows.append(StyledLine())
          column = 0
        }
        rows[rows.count - 1].append(Span(String(character), span.style))
        column += columns
      }
    }
    return rows
  }

  private mutating func take(_ character: Character, _ style: TextStyle) {
    if character.isNewline {
      endRow(row)
      row.removeAll(keepingCapacity: true)
      rowWidth = 0
      return
    }
    let cluster = Cluster(
      character: character == "\t" ? " " : character, style: style,
      width: character == "\t" ? 1 : TextWidth.columns(character))
    if rowWidth + cluster.width > width, !row.isEmpty {
      // A space that finds no room is the break itself.
      if cluster.isSpace {
        if row.last?.isSpace == false { row.append(cluster) }
        return
      }
      breakRow(before: cluster)
    }
    row.append(cluster)
    rowWidth += cluster.width
  }

  private mutating func breakRow(before next: Cluster) {
    let place = breakPlace(before: next) ?? row.count
    endRow(Array(row[..<place]))
    row.removeFirst(place)
    while row.first?.isSpace == true { row.removeFirst() }
    rowWidth = row.reduce(0) { $0 + $1.width }
  }

  /// How many clusters stay on the row; nil when no break is allowed in it.
  private func breakPlace(before next: Cluster) -> Int? {
    for place in stride(from: row.count, to: 0, by: -1) {
      let left = row[place - 1]
      let right = place < row.count ? row[place] : next
      // Leading spaces are no place to break: nothing would be left of it.
      if left.isSpace, row[..<place].contains(where: { !$0.isSpace }) { return place }
      if (left.isWide || right.isWide) && !right.isClosing && !left.isOpening && !right.isSpace {
        return place
      }
    }
    return nil
  }

  private mutating func endRow(_ clusters: [Cluster]) {
    var clusters = clusters
    while clusters.last?.isSpace == true { clusters.removeLast() }
    var line = StyledLine()
    for cluster in clusters { line.append(Span(String(cluster.character), cluster.style)) }
    rows.append(line)
  }
}
