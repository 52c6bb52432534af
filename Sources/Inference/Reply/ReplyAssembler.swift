package import Tokenizers

/// Makes the events of a reply from its tokens and their text.
///
/// Text goes through the thinking splitter and, as far as it is answer, through the stop strings:
/// those are about what the user reads, and a model thinks in paragraphs. The tokens handed over
/// are passed on at once, in order.
package struct ReplyAssembler: Sendable {
  private var splitter: ThinkingSplitter?
  private var matcher: StopStringMatcher

  /// Tokens that counted as thinking so far.
  package private(set) var reasoningTokens = 0
  /// Whether the reply has any answer beside white space.
  package private(set) var hasAnswer = false

  /// An assembler of one reply; without tags all of it is answer.
  package init(stopStrings: [String], tags: ThinkingTags?, startsInsideThinking: Bool = false) {
    matcher = StopStringMatcher(stopStrings)
    splitter = tags.map { ThinkingSplitter($0, startsInside: startsInsideThinking) }
  }

  /// Whether the reply is inside the thinking block.
  package var isThinking: Bool { splitter?.isInside ?? false }

  /// Whether a stop string has ended the reply.
  package var hasStopped: Bool { matcher.hasMatched }

  /// Takes a token and the text it releases, and appends what that makes to `events`.
  ///
  /// An end-of-turn token has no text.
  package mutating func append(
    _ text: String, token: TokenID, into events: inout [GenerationEvent]
  ) {
    append(text, tokens: [token], into: &events)
  }

  /// Takes tokens that have their text together.
  package mutating func append(
    _ text: String, tokens: [TokenID], into events: inout [GenerationEvent]
  ) {
    guard let (parts, isThinking) = splitter?.append(text) else {
      return appendAnswer(releasing: text, tokens, into: &events)
    }
    if isThinking { reasoningTokens += tokens.count }
    emit(parts, tokens: tokens, isThinking: isThinking, into: &events)
  }

  /// Ends the reply: `tail` is what the decoder had held back, and all text held back comes out.
  package mutating func finish(tail: String = "", into events: inout [GenerationEvent]) {
    var parts = splitter?.append(tail).parts ?? [.answer(tail)]
    parts += splitter?.flush() ?? []
    emit(parts, tokens: [], isThinking: false, into: &events)
    let rest = matcher.flush()
    if !rest.isEmpty { appendAnswer(rest, [], into: &events) }
  }

  private mutating func emit(
    _ parts: [ThinkingSplitter.Part], tokens: [TokenID], isThinking: Bool,
    into events: inout [GenerationEvent]
  ) {
    // The tokens go with the first part of their kind; without one they go alone, ahead.
    var tokens = tokens
    if !tokens.isEmpty, !parts.contains(where: { $0.isReasoning == isThinking }) {
      events.append(isThinking ? .reasoning("", tokens) : .answer("", tokens))
      tokens = []
    }
    for part in parts {
      let own = part.isReasoning == isThinking ? tokens : []
      if !own.isEmpty { tokens = [] }
      switch part {
      case .reasoning(let text):
        events.append(.reasoning(text, own))
      case .answer(let text):
        appendAnswer(releasing: text, own, into: &events)
      }
    }
  }

  /// Appends what the stop strings release of a text.
  private mutating func appendAnswer(
    releasing text: String, _ tokens: [TokenID], into events: inout [GenerationEvent]
  ) {
    let released = matcher.append(text)
    if !released.isEmpty || !tokens.isEmpty { appendAnswer(released, tokens, into: &events) }
  }

  private mutating func appendAnswer(
    _ text: String, _ tokens: [TokenID], into events: inout [GenerationEvent]
  ) {
    hasAnswer = hasAnswer || text.contains { !$0.isWhitespace }
    events.append(.answer(text, tokens))
  }
}

extension ThinkingSplitter.Part {
  fileprivate var isReasoning: Bool {
    if case .reasoning = self { true } else { false }
  }
}
