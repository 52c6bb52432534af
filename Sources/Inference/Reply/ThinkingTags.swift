/// What encloses a model's thinking in the text of its reply.
package struct ThinkingTags: Sendable, Hashable {
  package var opening: String
  package var closing: String

  package init(opening: String = "<think>", closing: String = "</think>") {
    self.opening = opening
    self.closing = closing
  }
}
