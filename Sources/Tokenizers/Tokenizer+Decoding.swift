extension Tokenizer {
  /// Whether an id is a control token, which is not part of the text that a reader sees.
  package func isControl(_ id: TokenID) -> Bool {
    let kind = vocabulary.kind(of: id)
    return kind == .control || kind == .unknown
  }

  /// Whether the id stands for anything: rows of the embedding beyond the vocabulary, and
  /// entries marked as unused, do not.
  package func isUsed(_ id: TokenID) -> Bool {
    guard let kind = vocabulary.kind(of: id) else { return false }
    return kind != .unused
  }

  /// Whether an id stands for one byte of a character that has no piece.
  func isByte(_ id: TokenID) -> Bool {
    vocabulary.kind(of: id) == .byte
  }

  /// What an id stands for: a control token's literal, nothing for an id that stands for nothing.
  package func bytes(of id: TokenID) -> [UInt8] {
    isUsed(id) ? Array(vocabulary.pieces[Int(id)]) : []
  }

  /// The text of `ids`, with U+FFFD for what is not UTF-8: one for each longest beginning of a
  /// character, and in a run of byte tokens one for each byte.
  package func decode(_ ids: [TokenID], skippingControl: Bool) -> String {
    var bytes: [UInt8] = []
    var run: [UInt8] = []
    for id in ids where isUsed(id) && !(skippingControl && isControl(id)) {
      if vocabulary.kinds[Int(id)] == .byte {
        run += vocabulary.pieces[Int(id)]
        continue
      }
      if !run.isEmpty {
        bytes += UTF8Repair.run(run)
        run = []
      }
      bytes += vocabulary.pieces[Int(id)]
    }
    bytes += UTF8Repair.run(run)
    let (text, count) = UTF8Repair.text(of: bytes.span)
    return count < bytes.count ? text + "\u{FFFD}" : text
  }
}
