package import Tokenizers

/// Something that happens while a reply is generated.
///
/// Text may lag behind the tokens it is of (a character may be incomplete, or a stop string may
/// have begun), so a piece of text may come with no token and tokens with no text. The tokens of
/// all `.reasoning`, `.answer` and `.toolCall` events, in order, are exactly those sampled.
package enum GenerationEvent: Sendable, Hashable {
  /// Tokens of the prompt processed, of those not reused.
  case prefill(done: Int, total: Int)
  /// Text from inside the thinking block, its tags left out.
  case reasoning(String, [TokenID])
  /// Text of the answer.
  case answer(String, [TokenID])
  /// A complete call of a tool.
  case toolCall(ToolCall, [TokenID])
  /// The reply is over. Always the last event.
  case finished(Statistics)
}
