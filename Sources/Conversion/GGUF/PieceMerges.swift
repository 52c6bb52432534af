/// The merges that a SentencePiece vocabulary with scores amounts to.
///
/// SentencePiece merges the neighbours that make the piece of the best score; so every way of making a
/// piece of two others is a rule, and rules come in the order of their pieces' scores. Among equals the
/// earlier piece goes first, and of one piece the shorter left part.
enum PieceMerges {
  static func merges(
    _ pieces: [String], scores: [Float]
  ) -> [(left: String, right: String)] {
    // By bytes: to Swift's strings two spellings of one accented letter are equal.
    let spellings = pieces.map { Array($0.utf8) }
    var known: Set<ArraySlice<UInt8>> = []
    for spelling in spellings { known.insert(spelling[...]) }
    var rules: [(piece: Int, cut: Int)] = []
    for (piece, spelling) in spellings.enumerated() where spelling.count > 1 {
      for cut in 1..<spelling.count where spelling[cut] & 0xC0 != 0x80 {
        if known.contains(spelling[..<cut]), known.contains(spelling[cut...]) {
          rules.append((piece, cut))
        }
      }
    }
    rules.sort { left, right in
      let (first, second) = (scores[left.piece], scores[right.piece])
      return first == second
        ? (left.piece, left.cut) < (right.piece, right.cut) : first > second
    }
    return rules.map { rule in
      let spelling = spellings[rule.piece]
      return (
        String(decoding: spelling[..<rule.cut], as: UTF8.self),
        String(decoding: spelling[rule.cut...], as: UTF8.self)
      )
    }
  }
}
