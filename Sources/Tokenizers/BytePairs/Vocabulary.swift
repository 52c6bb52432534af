/// The entries of a vocabulary: their bytes, kinds, and how they are found.
struct Vocabulary: Sendable {
  /// Far above any vocabulary, and far below what a 32-bit id could not hold.
  private static let countLimit = PieceIndex.countLimit

  /// What each id stands for in text.
  let pieces: ByteStrings
  let kinds: [TokenKind]
  /// The entries that merging may make: normal and user-defined ones, and no control token, so
  /// that none comes from text by way of merges.
  let index: PieceIndex
  private let controls: PieceIndex

  /// A vocabulary of the bytes that the ids stand for, checked against nothing before.
  init(_ pieces: ByteStrings, _ kinds: [TokenKind]) throws(TokenizerError) {
    guard pieces.count > 0 else { throw .emptyVocabulary }
    guard pieces.count <= Self.countLimit else {
      throw .tooMany(of: "vocabulary entries", count: pieces.count, limit: Self.countLimit)
    }
    guard kinds.count == pieces.count else {
      throw .countMismatch(of: "token types", count: kinds.count, pieces: pieces.count)
    }
    self.pieces = pieces
    self.kinds = kinds
    var index = PieceIndex(capacity: pieces.count)
    for id in 0..<TokenID(pieces.count) where kinds[Int(id)] == .normal {
      if let other = index.insert(id, of: pieces) {
        throw .duplicatePiece(pieces.text(Int(id)), first: Int(other), second: Int(id))
      }
    }
    // A user-defined token may stand for what an ordinary one does, in another spelling.
    for id in 0..<TokenID(pieces.count) where kinds[Int(id)] == .userDefined {
      _ = index.insert(id, of: pieces)
    }
    self.index = index
    let controlIDs = (0..<TokenID(pieces.count)).filter {
      kinds[Int($0)] == .control || kinds[Int($0)] == .unknown
    }
    var controls = PieceIndex(capacity: controlIDs.count)
    for id in controlIDs { _ = controls.insert(id, of: pieces) }
    self.controls = controls
  }

  /// Whether an id is a piece of text that merging may take.
  func isText(_ id: TokenID) -> Bool {
    kinds[Int(id)] == .normal || kinds[Int(id)] == .userDefined
  }

  /// Whether a control token has these bytes.
  func isControl(_ bytes: some Sequence<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return controls.id(of: bytes.span, 0..<bytes.count, in: pieces) != nil
  }

  var count: Int { pieces.count }

  func kind(of id: TokenID) -> TokenKind? {
    kinds.indices.contains(Int(id)) ? kinds[Int(id)] : nil
  }

  /// The entry whose bytes are those of `text` in `range`.
  ///
  /// `guess` is looked at first: rules of ascending rank mostly make entries of ascending ids.
  func id(of text: Span<UInt8>, _ range: Range<Int>, guess: TokenID) -> TokenID? {
    if let kind = kind(of: guess), kind == .normal,
      PieceIndex.equal(text, range, pieces.bytes.span, pieces.range(Int(guess)))
    {
      return guess
    }
    return id(of: text, range)
  }

  func id(of text: Span<UInt8>, _ range: Range<Int>) -> TokenID? {
    index.id(of: text, range, in: pieces)
  }
}
