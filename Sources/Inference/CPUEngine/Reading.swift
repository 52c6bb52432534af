package import Tokenizers
package import Transformers

/// A state and the tokens it is of.
package struct Reading: Sendable {
  package var state: ModelState
  package var tokens: [TokenID] = []

  /// How many tokens of a prompt its beginning has in common with what was read.
  package func common(with prompt: ArraySlice<TokenID>) -> Int {
    zip(tokens, prompt).prefix { $0 == $1 }.count
  }

  /// How many tokens of a prompt need not be read again, of those it has in common: all where the
  /// state is at their end or can go back there, else none.
  package func usable(for prompt: ArraySlice<TokenID>) -> Int {
    let common = common(with: prompt)
    return state.canTruncate(to: common) ? common : 0
  }

  /// Forgets all but the first `count` tokens, to which the state must be able to go back.
  package mutating func truncate(to count: Int) {
    state.truncate(to: count)
    tokens.removeLast(tokens.count - count)
  }
}
