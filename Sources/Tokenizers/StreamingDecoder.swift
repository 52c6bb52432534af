/// Turns ids into text as they come, holding back the bytes of an unfinished character.
package struct StreamingDecoder: Sendable {
  private let tokenizer: Tokenizer
  private let skippingControl: Bool
  /// At most the first three bytes of a character.
  private var held: [UInt8] = []

  package init(_ tokenizer: Tokenizer, skippingControl: Bool = true) {
    self.tokenizer = tokenizer
    self.skippingControl = skippingControl
  }

  /// The text that `id` completes; empty while a character is unfinished.
  package mutating func append(_ id: TokenID) -> String {
    if skippingControl && tokenizer.isControl(id) { return "" }
    held += tokenizer.bytes(of: id)
    let (text, count) = UTF8Repair.text(of: held.span)
    held.removeFirst(count)
    return text
  }

  /// What was held back, as U+FFFD.
  ///
  /// The decoder is as new afterwards.
  package mutating func flush() -> String {
    defer { held = [] }
    return held.isEmpty ? "" : "\u{FFFD}"
  }
}
