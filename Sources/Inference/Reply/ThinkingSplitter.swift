// Thinking and answer, told apart in text that comes in pieces.
//
// A block opens only where nothing but white space has come before it: an answer may well write
// about the tag. Inside, the first closing tag closes; an opening tag is text. Outside, a closing
// tag is text. After a block another may open before the answer begins. Line breaks beside the
// tags belong to the markup: those after the opening tag, before the closing tag and after it are
// dropped, and so is white space before an opening tag.
//
// Tokens are never held back. A token counts as thinking if the reply is inside the block once
// the token's text has been seen, or if that text has closed a block. The first tokens of an
// opening tag that is split across tokens therefore count as answer.

/// Splits a reply into what the model thinks and what it says.
package struct ThinkingSplitter: Sendable {
  /// A part of the reply.
  package enum Part: Sendable, Hashable {
    case reasoning(String)
    case answer(String)
  }

  private enum Place {
    /// Nothing but white space since the beginning or since a block.
    case before
    case inside
    case answer
  }

  private let tags: ThinkingTags
  private var place: Place
  /// Whether a block has been closed right before, so that line breaks are markup.
  private var isAfterBlock = false
  /// Whether the block has had text other than line breaks.
  private var hasReasoned = false
  /// Bytes seen and not released.
  private var held: [UInt8] = []

  /// A splitter of one reply, which begins inside the block if the prompt has opened it.
  package init(_ tags: ThinkingTags = ThinkingTags(), startsInside: Bool = false) {
    precondition(!tags.opening.isEmpty && !tags.closing.isEmpty, "A tag has characters.")
    self.tags = tags
    place = startsInside ? .inside : .before
  }

  /// Whether the reply is inside the block.
  package var isInside: Bool { place == .inside }

  /// The parts that `piece` completes, and whether its tokens count as thinking.
  package mutating func append(_ piece: String) -> (parts: [Part], isThinking: Bool) {
    var parts: [Part] = []
    held.append(contentsOf: piece.utf8)
    var hasClosed = false
    while step(into: &parts, hasClosed: &hasClosed, isLast: false) {}
    return (parts, isInside || hasClosed)
  }

  /// What was held back, when no more text comes: the beginning of a tag is then text.
  package mutating func flush() -> [Part] {
    var parts: [Part] = []
    var hasClosed = false
    while step(into: &parts, hasClosed: &hasClosed, isLast: true) {}
    return parts
  }

  /// Deals with what is held as far as one tag; returns whether there may be more to do.
  private mutating func step(
    into parts: inout [Part], hasClosed: inout Bool, isLast: Bool
  ) -> Bool {
    guard !held.isEmpty else { return false }
    switch place {
    case .answer:
      parts.append(.answer(take(held.count)))
      return false
    case .before:
      return stepBefore(into: &parts, isLast: isLast)
    case .inside:
      return stepInside(into: &parts, hasClosed: &hasClosed, isLast: isLast)
    }
  }

  private mutating func stepBefore(into parts: inout [Part], isLast: Bool) -> Bool {
    let space = held.prefix { $0.isWhiteSpace }.count
    let rest = held[space...]
    if rest.starts(with: tags.opening.utf8) {
      held.removeFirst(space + tags.opening.utf8.count)
      place = .inside
      hasReasoned = false
      return true
    }
    // Undecided while all of it may still be white space before a tag.
    if !isLast, tags.opening.utf8.starts(with: rest) { return false }
    if isAfterBlock { held.removeFirst(held.prefix { $0.isLineBreak }.count) }
    place = .answer
    return true
  }

  private mutating func stepInside(
    into parts: inout [Part], hasClosed: inout Bool, isLast: Bool
  ) -> Bool {
    if !hasReasoned {
      held.removeFirst(held.prefix { $0.isLineBreak }.count)
      hasReasoned = !held.isEmpty
    }
    if let start = held.firstRange(of: tags.closing.utf8) {
      let textEnd = held[..<start].withoutTrailingLineBreaks
      if textEnd > 0 { parts.append(.reasoning(String(decoding: held[..<textEnd], as: UTF8.self))) }
      held.removeFirst(start + tags.closing.utf8.count)
      place = .before
      isAfterBlock = true
      hasClosed = true
      return true
    }
    let undecided = isLast ? 0 : held.lengthOfEnd(beginning: tags.closing.utf8)
    var end = held.count - undecided
    end = held[..<end].withoutTrailingLineBreaks
    if end > 0 { parts.append(.reasoning(take(end))) }
    if isLast { held.removeAll() }
    return false
  }

  private mutating func take(_ count: Int) -> String {
    let text = String(decoding: held.prefix(count), as: UTF8.self)
    held.removeFirst(count)
    return text
  }
}

extension UInt8 {
  fileprivate var isLineBreak: Bool { self == 0x0a || self == 0x0d }
  fileprivate var isWhiteSpace: Bool { isLineBreak || self == 0x20 || self == 0x09 }
}

extension [UInt8] {
  /// Where `pattern` first begins.
  fileprivate func firstRange(of pattern: String.UTF8View) -> Int? {
    guard !pattern.isEmpty, count >= pattern.count else { return nil }
    return (0...(count - pattern.count)).first { self[$0...].starts(with: pattern) }
  }

  /// How many bytes at the end may be the beginning of `pattern`.
  fileprivate func lengthOfEnd(beginning pattern: String.UTF8View) -> Int {
    let longest = Swift.min(count, pattern.count - 1)
    return stride(from: longest, to: 0, by: -1).first {
      pattern.starts(with: self[(count - $0)...])
    } ?? 0
  }
}

extension ArraySlice<UInt8> {
  /// The end of what is left without line breaks at the end.
  fileprivate var withoutTrailingLineBreaks: Int {
    (lastIndex { !$0.isLineBreak }).map { $0 + 1 } ?? startIndex
  }
}
