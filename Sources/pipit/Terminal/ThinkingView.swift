import Markdown

/// What happens to a model's thoughts on a terminal.
enum ThinkingDisplay: String, Sendable, CaseIterable {
  /// Seen while they stream, and one line afterwards.
  case fold
  /// They stay.
  case show
  /// Only their length is told.
  case hide
}

/// The thoughts of a reply as rows.
struct ThinkingView {
  let display: ThinkingDisplay
  private var text = ""
  private(set) var start: ContinuousClock.Instant?
  private var isOver = false

  /// Rows of thoughts in sight while they stream and are to fold: reading them is for the curious,
  /// and what has left the screen could not be taken back.
  private static let rowsInSight = 8

  init(display: ThinkingDisplay) {
    self.display = display
  }

  var isThinking: Bool { start != nil && !isOver }

  mutating func append(_ piece: String) {
    // A model may open a second block.
    if start == nil || isOver {
      start = .now
      isOver = false
      text = ""
    }
    text += piece
  }

  /// The rows that stay as they are, each handed out once, and those that may change.
  mutating func takeRows(width: Int) -> (settled: [StyledLine], open: [StyledLine]) {
    guard isThinking, display != .hide else { return ([], []) }
    guard display == .show else {
      return ([], rows(text, width).suffix(Self.rowsInSight))
    }
    guard let end = text.lastIndex(where: \.isNewline) else { return ([], rows(text, width)) }
    let settled = rows(String(text[..<end]), width)
    text = String(text[text.index(after: end)...])
    return (settled, text.isEmpty ? [] : rows(text, width))
  }

  /// Ends the block; its rows that stay.
  ///
  /// Thoughts that no answer follows are all there is of the reply, and do not fold.
  mutating func finish(width: Int, isAnswered: Bool) -> [StyledLine] {
    guard isThinking, let start else { return [] }
    isOver = true
    let isKept = display == .show || (display == .fold && !isAnswered)
    let kept = isKept && !text.isEmpty ? rows(text, width) : []
    let seconds = start.duration(to: .now) / .seconds(1)
    return kept + [
      StyledLine("thought for \(Figures.brief(seconds))", [.dim, .italic]), StyledLine(),
    ]
  }

  private func rows(_ text: String, _ width: Int) -> [StyledLine] {
    LineBreaker.rows(StyledLine(text, .dim), width: min(width, 100))
  }
}
