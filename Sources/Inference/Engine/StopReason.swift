/// Why a reply ended.
package enum StopReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// The model ended its turn.
  case endOfTurn = "end_of_turn"
  /// The token limit that was asked for.
  case length
  /// The end of the context, where no limit was asked for.
  case context
  /// A stop string appeared.
  case stopString = "stop_string"
  /// The user stopped it.
  case cancelled
  /// Memory ran short.
  case memory
  /// The machine was too hot.
  case heat
  /// The same few tokens kept repeating.
  case loop
  /// Computing failed.
  case error
}
