/// Takes tiles as they are prepared, to put them into a file.
package protocol TileSink: Sendable {
  /// Writes a block at its place; called on several threads at once, for each block once.
  ///
  /// All blocks but the last have ``TileStream/blockByteCount`` bytes, and `offset` is a multiple of it.
  func write(_ block: Span<UInt8>, at offset: Int) throws
}
