// Stop strings across token edges.
//
// The automaton of Aho and Corasick over UTF-8 bytes: its state is the longest end of the text so
// far with which some stop string begins, and its depth is how many bytes must be held back. A
// stop string is valid UTF-8, so what is held back begins at a character's first byte.

/// Finds the end of a reply in text that comes in pieces.
package struct StopStringMatcher: Sendable {
  /// Whether a stop string has appeared; nothing comes out from then on.
  package private(set) var hasMatched = false
  /// The stop string that appeared.
  package private(set) var match: String?

  private let automaton: StopStringAutomaton
  private var state = StopStringAutomaton.root
  private var held: [UInt8] = []

  /// A matcher of `stopStrings`, empty ones left out.
  package init(_ stopStrings: [String]) {
    automaton = StopStringAutomaton(stopStrings.filter { !$0.isEmpty })
  }

  /// The text that `piece` releases.
  ///
  /// The first stop string to be complete ends the reply, of several the longest; what follows it
  /// is dropped, and what comes before it is released.
  package mutating func append(_ piece: String) -> String {
    guard !hasMatched else { return "" }
    guard !automaton.isEmpty else { return piece }
    for byte in piece.utf8 {
      state = automaton.next(state, byte)
      held.append(byte)
      if let index = automaton.match(at: state) {
        hasMatched = true
        match = automaton.strings[index]
        return release(held.count - automaton.strings[index].utf8.count, thenDropRest: true)
      }
    }
    return release(held.count - automaton.depth(of: state))
  }

  /// What was held back, when no more text comes.
  package mutating func flush() -> String {
    state = StopStringAutomaton.root
    return release(held.count)
  }

  private mutating func release(_ count: Int, thenDropRest: Bool = false) -> String {
    let text = String(decoding: held.prefix(count), as: UTF8.self)
    if thenDropRest {
      held.removeAll()
    } else {
      held.removeFirst(count)
    }
    return text
  }
}
