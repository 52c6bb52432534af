package import Tokenizers

/// Guesses the next tokens from what the conversation has said before: where its last three tokens
/// stood earlier, what followed them there may follow again (prompt lookup decoding, Saxena 2023).
///
/// A guess costs a look into a hash table and is never trusted: the model reads it like any tokens and
/// what it would not have said itself is dropped.
package struct PromptLookup {
  /// Tokens that must agree.
  private static let order = 3

  package private(set) var tokens: [TokenID] = []
  /// Where the token after a run of `order` tokens stands, by the run's hash; 0 where free.
  ///
  /// The latest place of a run replaces earlier ones, and a collision costs a guess.
  private var places: [Int32] = []

  package init(_ prompt: [TokenID]) {
    grow(to: 2 * prompt.count)
    for token in prompt { append(token) }
  }

  package mutating func append(_ token: TokenID) {
    if tokens.count >= Self.order {
      places[slot(endingAt: tokens.count)] = Int32(truncatingIfNeeded: tokens.count)
    }
    tokens.append(token)
    if 2 * tokens.count > places.count { grow(to: 4 * tokens.count) }
  }

  /// Up to `limit` tokens that followed the last ones before; empty where they are new.
  package func guess(limit: Int) -> ArraySlice<TokenID> {
    guard tokens.count >= Self.order else { return [] }
    let place = Int(places[slot(endingAt: tokens.count)])
    guard place >= Self.order,
      tokens[place - Self.order..<place].elementsEqual(tokens.suffix(Self.order))
    else { return [] }
    return tokens[place..<min(place + limit, tokens.count)]
  }

  /// The slot of the tokens before a position.
  private func slot(endingAt end: Int) -> Int {
    var hash: UInt64 = 0
    for token in tokens[end - Self.order..<end] {
      hash = (hash ^ UInt64(UInt32(bitPattern: token))) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    return Int(truncatingIfNeeded: hash) & (places.count - 1)
  }

  private mutating func grow(to count: Int) {
    var size = 256
    while size < count { size *= 2 }
    guard size > places.count else { return }
    places = Array(repeating: 0, count: size)
    for end in stride(from: Self.order, to: tokens.count, by: 1) {
      places[slot(endingAt: end)] = Int32(truncatingIfNeeded: end)
    }
  }
}
