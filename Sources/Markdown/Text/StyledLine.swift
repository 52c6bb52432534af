/// Text of one style.
package struct Span: Sendable, Hashable {
  package var text: String
  package var style: TextStyle

  package init(_ text: String, _ style: TextStyle = []) {
    self.text = text
    self.style = style
  }
}

/// One row of a terminal, or a text yet to be broken into rows.
package struct StyledLine: Sendable, Hashable {
  package private(set) var spans: [Span] = []

  package init() {}

  package init(_ text: String, _ style: TextStyle = []) {
    append(Span(text, style))
  }

  /// Adds text, to the last span where the style is the same.
  package mutating func append(_ span: Span) {
    if span.text.isEmpty { return }
    if spans.last?.style == span.style {
      spans[spans.count - 1].text += span.text
    } else {
      spans.append(span)
    }
  }

  package mutating func append(_ line: StyledLine) {
    for span in line.spans { append(span) }
  }

  package var text: String { spans.map(\.text).joined() }
  package var isEmpty: Bool { spans.isEmpty }

  /// Columns that it takes.
  package var width: Int { spans.reduce(0) { $0 + TextWidth.columns($1.text) } }

  /// The text with escape sequences, or without any.
  package func rendered(hasStyles: Bool) -> String {
    guard hasStyles else { return text }
    var result = ""
    for span in spans {
      if let parameters = span.style.escapeParameters {
        result += "\u{1B}[\(parameters)m\(span.text)\u{1B}[0m"
      } else {
        result += span.text
      }
    }
    return result
  }

  /// Cut to so many columns, with a mark where something is missing.
  package func truncated(to columns: Int) -> StyledLine {
    if width <= columns { return self }
    var result = StyledLine()
    var left = columns - 1
    for span in spans {
      var kept = ""
      for character in span.text {
        let width = TextWidth.columns(character)
        if width > left {
          result.append(Span(kept, span.style))
          result.append(Span("…", span.style))
          return result
        }
        left -= width
        kept.append(character)
      }
      result.append(Span(kept, span.style))
    }
    return result
  }
}
