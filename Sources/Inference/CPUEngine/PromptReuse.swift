/// How much of a prompt need not be read again, and why not more.
package struct PromptReuse: Hashable, Sendable {
  /// Tokens of the prompt.
  package let promptTokens: Int
  /// Tokens whose state is there.
  package let reused: Int
  /// Tokens that the prompt has in common with something that was read and is still there.
  package let common: Int
  /// Tokens that had been read before.
  package let readBefore: Int

  package init(promptTokens: Int, reused: Int, common: Int, readBefore: Int) {
    self.promptTokens = promptTokens
    self.reused = reused
    self.common = common
    self.readBefore = readBefore
  }

  /// Why much is read again, to follow "read anew because"; nil where little is.
  package var note: String? {
    guard readBefore > 0 else { return nil }
    if common == 0 { return "the prompt begins differently from what was read before" }
    if common - reused > max(16, promptTokens / 8) {
      let place =
        reused == 0
        ? "no snapshot of what comes before was left" : "the nearest snapshot was at \(reused)"
      return "this model cannot go back to token \(common), where the prompt changes; \(place)"
    }
    if common < promptTokens / 2, common < readBefore {
      return "the prompt changes after its first \(common) tokens"
    }
    return nil
  }
}
