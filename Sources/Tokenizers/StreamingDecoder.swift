/// Turns ids into text as they come, holding back the bytes of an unfinished character.
package struct StreamingDecoder: Sendable {
  private let tokenizer: Tokenizer
  private let skippingControl: Bool
  /// The bytes of an unfinished character; of byte tokens, all since the last text.
  private var held: [UInt8] = []

  /// Bytes of tokens that decoding has room for from the start; longer ones are rare.
  private static let room = 256

  package init(_ tokenizer: Tokenizer, skippingControl: Bool = true) {
    self.tokenizer = tokenizer
    self.skippingControl = skippingControl
    held.reserveCapacity(Self.room)
  }

  /// The text that `id` completes; empty while a character is unfinished.
  package mutating func append(_ id: TokenID) -> String {
    guard tokenizer.isUsed(id), !(skippingControl && tokenizer.isControl(id)) else { return "" }
    if tokenizer.fallsBackToBytes { return appendToRun(id) }
    held += tokenizer.vocabulary.pieces[Int(id)]
    let (text, count) = UTF8Repair.text(of: held.span)
    held.removeFirst(count)
    return text
  }

  /// What was held back, as U+FFFD.
  ///
  /// The decoder is as new afterwards.
  package mutating func flush() -> String {
    defer { held.removeAll(keepingCapacity: true) }
    if held.isEmpty { return "" }
    return String(
      repeating: "\u{FFFD}", count: tokenizer.fallsBackToBytes ? held.count : 1)
  }

  /// As `append`, where byte tokens are text only if all of a run are.
  ///
  /// What has been given out stays, so of a run that begins well and ends badly the beginning is
  /// text here, and not in `Tokenizer.decode`.
  private mutating func appendToRun(_ id: TokenID) -> String {
    let bytes = tokenizer.vocabulary.pieces[Int(id)]
    guard tokenizer.isByte(id) else {
      let text = String(decoding: bytes, as: UTF8.self)
      return held.isEmpty ? text : flush() + text
    }
    held += bytes
    guard UTF8Repair.isValid(held.span) else { return "" }
    defer { held.removeAll(keepingCapacity: true) }
    return String(decoding: held, as: UTF8.self)
  }
}
