import Inference
import Markdown

/// The line below a reply: what answers, how full the context is, and how fast it goes.
struct StatusLine: Sendable {
  var model: String
  var contextLength: Int
  /// Tokens of the prompt, when known; of these `reused` did not have to be read.
  var promptTokens: Int?
  var reusedTokens: Int?
  var generatedTokens = 0
  /// Tokens per second of the reply.
  var rate: Double?

  /// The figures of a reply that has ended.
  init(model: String, contextLength: Int, _ statistics: Statistics) {
    self.model = model
    self.contextLength = contextLength
    promptTokens = statistics.promptTokens
    reusedTokens = statistics.reusedTokens
    generatedTokens = statistics.generatedTokens
    rate = statistics.decodeTokensPerSecond
  }

  init(model: String, contextLength: Int) {
    self.model = model
    self.contextLength = contextLength
  }

  /// At most so many columns; what matters least is left out first.
  func line(columns: Int) -> StyledLine {
    var parts = [part(model), context]
    if let rate { parts.append(part("\(Figures.short(rate)) tok/s")) }
    if let reusedTokens, reusedTokens > 0 {
      parts.append(part("\(Figures.grouped(reusedTokens)) reused"))
    }
    while parts.count > 2, joined(parts).width > columns { parts.removeLast() }
    if joined(parts).width > columns { parts.removeFirst() }
    return joined(parts).truncated(to: columns)
  }

  private func part(_ text: String) -> StyledLine {
    StyledLine(ControlFilter.filtered(text), .dim)
  }

  private func joined(_ parts: [StyledLine]) -> StyledLine {
    var line = StyledLine()
    for (index, part) in parts.enumerated() {
      if index > 0 { line.append(Span(" · ", .dim)) }
      line.append(part)
    }
    return line
  }

  private var context: StyledLine {
    guard let promptTokens else { return part("\(Figures.tokens(generatedTokens))") }
    let used = promptTokens + generatedTokens
    let share = Double(used) / Double(max(contextLength, 1))
    // The context's end is the red line: a reply that meets it is cut.
    let style: TextStyle = share >= 0.9 ? .alarm : share >= 0.75 ? .caution : .dim
    return StyledLine(
      "\(Figures.grouped(used)) of \(Figures.tokens(contextLength))", style)
  }
}
