/// What a vocabulary entry is for.
///
/// The raw values are GGUF's `tokenizer.ggml.token_type`.
package enum TokenKind: UInt8, Sendable {
  case normal = 1
  /// Stands for text without a piece. Treated as a control token.
  case unknown = 2
  /// Matched in text only where the caller allows it, and left out when text for a reader is
  /// decoded.
  case control = 3
  /// Matched in any text.
  case userDefined = 4
  /// A row of the embedding that no text reaches.
  case unused = 5
  /// One byte of a SentencePiece vocabulary, spelled `<0xNN>`.
  case byte = 6
}
