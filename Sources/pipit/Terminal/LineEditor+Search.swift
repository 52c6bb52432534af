import CEdit
import Markdown

/// Ctrl-R: looks through what was typed before, in this session and earlier ones.
///
/// libedit's own search breaks at characters beyond ASCII.
extension LineEditor {
  func searchHistory() {
    var search = HistorySearch(entries)
    clearLine()
    while true {
      drawSearch(search)
      guard let scalar = nextScalar() else { break }
      switch scalar {
      case "\u{12}": search.findOlder()
      case "\u{8}", "\u{7F}": search.deleteLast()
      case "\u{7}", "\u{3}": return finishSearch(nil)
      case "\r", "\n":
        decoder.pushBack("\r")
        return finishSearch(search.match)
      case "\u{1B}":
        // Alone it ends the search; otherwise it begins the sequence of a key.
        if decoder.hasInput || Descriptor.input.isReadable(within: 30) {
          decoder.pushBack(scalar)
        }
        return finishSearch(search.match)
      case _ where scalar.value < 0x20:
        decoder.pushBack(scalar)
        return finishSearch(search.match)
      default: search.append(scalar)
      }
    }
    finishSearch(nil)
  }

  private func drawSearch(_ search: HistorySearch) {
    let columns = max(Descriptor.output.columns - 1, 10)
    var line = StyledLine(search.match == nil && !search.query.isEmpty ? "(none) " : "(search) ")
    line.append(Span(search.query, .bold))
    line.append(Span(": "))
    let found = search.match?.replacing("\n", with: "⏎") ?? ""
    line.append(Span(found, .dim))
    let shown = line.truncated(to: columns).rendered(hasStyles: style.hasColor)
    try? Descriptor.output.write("\r\u{1B}[K" + shown)
  }

  private func finishSearch(_ match: String?) {
    try? Descriptor.output.write("\r\u{1B}[K")
    if let match { replaceText(match) }
    drawAnew()
  }
}

/// A search that goes back through entries.
struct HistorySearch {
  private let entries: [String]
  private(set) var query = ""
  /// The entry found; nil when there is none.
  private(set) var match: String?
  /// Where it is; the search goes on before it.
  private var place: Int

  /// `entries` are oldest first.
  init(_ entries: [String]) {
    self.entries = entries
    place = entries.count
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    query.unicodeScalars.append(scalar)
    // The entry in view may still be the one.
    find(from: min(place, entries.count - 1))
  }

  mutating func deleteLast() {
    if !query.isEmpty { query.removeLast() }
    if query.isEmpty {
      match = nil
      place = entries.count
    } else {
      find(from: entries.count - 1)
    }
  }

  mutating func findOlder() {
    find(from: place - 1, besides: match)
  }

  private mutating func find(from start: Int, besides known: String? = nil) {
    guard !query.isEmpty else { return }
    let wanted = query.lowercased()
    for index in stride(from: start, through: 0, by: -1)
    where entries[index] != known && entries[index].lowercased().contains(wanted) {
      place = index
      match = entries[index]
      return
    }
    if known == nil { match = nil }
  }
}
