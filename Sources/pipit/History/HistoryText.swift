import Conversations
import Markdown

/// Conversations as lines on standard output.
///
/// A title is a line's last part, so that it may be cut where a terminal ends.
struct HistoryText {
  let console: Console

  private var style: Style { console.outputStyle }
  private var columns: Int? {
    console.outputIsTerminal ? max(Descriptor.output.columns, 20) : nil
  }

  func list(_ groups: [ConversationList.Group]) -> String {
    groups.map { group in
      style.bold(group.heading) + "\n" + group.summaries.map(line).joined()
    }.joined(separator: "\n")
  }

  func hits(_ hits: [SearchHit]) -> String {
    hits.map { hit in line(hit.summary) + snippet(hit.snippet) }.joined(separator: "\n")
  }

  private func line(_ summary: ConversationSummary) -> String {
    let count = HistoryWords.messages(summary.messageCount)
    let padding = String(repeating: " ", count: max(0, 14 - count.count))
    var facts = [summary.id.short, summary.updated.localText, padding + count]
    // A narrow terminal has room for a title, or for these.
    func width() -> Int { facts.reduce(0) { $0 + $1.count + 2 } }
    if let columns { while facts.count > 1, columns - width() < 24 { facts.removeLast() } }
    return line(facts.joined(separator: "  ") + "  ", summary.title)
  }

  private func line(_ facts: String, _ title: String) -> String {
    style.dim(facts) + cut(title, after: facts.count) + "\n"
  }

  private func snippet(_ snippet: Snippet) -> String {
    var text = ""
    var position = 0
    let characters = Array(snippet.text)
    for match in snippet.matches {
      text += shown(characters[position..<match.lowerBound])
      text += style.bold(shown(characters[match]))
      position = match.upperBound
    }
    text += shown(characters[position...])
    return "    " + text + "\n"
  }

  private func shown(_ characters: ArraySlice<Character>) -> String {
    ControlFilter.filtered(String(characters))
  }

  private func cut(_ title: String, after used: Int) -> String {
    let title = ControlFilter.filtered(title)
    guard let columns else { return title }
    var left = columns - used - 1
    var text = ""
    for character in title {
      let width = character.unicodeScalars.reduce(0) { $0 + TextWidth.columns($1) }
      if width > left { return text + "…" }
      left -= width
      text.append(character)
    }
    return text
  }
}
