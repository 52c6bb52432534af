/// How text is cut before merging: stages, each cutting the pieces of the one before.
package struct PreTokenizer: Sendable, Hashable {
  /// What becomes of the parts of the text that a pattern matches.
  package enum Behaviour: Sendable, Hashable {
    case isolated, removed, mergedWithPrevious, mergedWithNext, contiguous
  }

  package struct Stage: Sendable, Hashable {
    /// A regular expression in the syntax of tokenizer.json.
    package var pattern: String
    package var behaviour: Behaviour
    /// The parts between the matches are treated as the matches.
    package var inverted: Bool

    package init(_ pattern: String, _ behaviour: Behaviour = .isolated, inverted: Bool = false) {
      self.pattern = pattern
      self.behaviour = behaviour
      self.inverted = inverted
    }
  }

  package var stages: [Stage]

  package init(_ stages: [Stage]) {
    self.stages = stages
  }
}
