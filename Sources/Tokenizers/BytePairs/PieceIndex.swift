import JSON

/// Finds vocabulary entries by their bytes: open addressing over ids, the bytes staying where
/// they are.
///
/// The seed is random, so that no file can choose entries that all meet in one slot. Looking up is
/// waiting for memory, so slots are small: those of 150,000 entries take a megabyte, which is what a
/// second-level cache holds.
struct PieceIndex: Sendable {
  /// Entries that there may be; far above any vocabulary.
  static let countLimit = 1 << 23

  /// The upper eight bits of a hash and, below them, the id plus one; 0 for a free slot.
  ///
  /// A power of two of them, at most two thirds full.
  private var slots: [UInt32]
  private let seed: UInt64

  /// For up to `capacity` entries, at most `countLimit`.
  init(capacity: Int) {
    slots = [UInt32](repeating: 0, count: Self.slotCount(capacity: capacity))
    seed = UInt64.random(in: .min ... .max)
  }

  static func byteCount(capacity: Int) -> Int {
    slotCount(capacity: capacity) * MemoryLayout<UInt32>.stride
  }

  private static func slotCount(capacity: Int) -> Int {
    var size = 16
    while size < capacity + capacity / 2 { size *= 2 }
    return size
  }

  /// Enters `id`; the id already there if one has the same bytes.
  mutating func insert(_ id: TokenID, of pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    let range = pieces.range(Int(id))
    let hash = hash(bytes, range)
    let found = find(hash) { Self.equal(bytes, range, bytes, pieces.range(Int($0))) }
    if let other = found.id { return other }
    slots[found.slot] = Self.tag(hash) | UInt32(id + 1)
    return nil
  }

  /// The entry whose bytes are those of `text` in `range`.
  func id(of text: Span<UInt8>, _ range: Range<Int>, in pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    return find(hash(text, range)) { Self.equal(text, range, bytes, pieces.range(Int($0))) }.id
  }

  /// The entries whose bytes are those of `text` from each of `starts` to the next; −1 where there is
  /// none.
  ///
  /// As `id(of:_:in:)`, for all in steps: see `MergeBatch`.
  func ids(
    of text: Span<UInt8>, at starts: Span<UInt32>, in pieces: borrowing ByteStrings
  ) -> [TokenID] {
    let bytes = pieces.bytes.span
    let count = starts.count - 1
    func range(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) }
    let hashes = [UInt64](capacity: count) { hashes in
      for index in 0..<count { hashes.append(hash(text, range(index))) }
    }
    let entries = [UInt32](capacity: count) { entries in
      for index in 0..<count { entries.append(slots[slot(hashes[index])]) }
    }
    let places = [Range<Int>](capacity: count) { places in
      for index in 0..<count {
        let id = Int(entries[index] & Self.idMask) &- 1
        places.append(id < 0 ? 0..<0 : pieces.range(id))
      }
    }
    let areAlike = [Bool](capacity: count) { areAlike in
      for index in 0..<count {
        let (range, place) = (range(index), places[index])
        let isAlike =
          range.count == place.count
          && (range.isEmpty || text[range.lowerBound] == bytes[place.lowerBound])
        areAlike.append(isAlike)
      }
    }
    return [TokenID](capacity: count) { ids in
      for index in 0..<count {
        if areAlike[index], Self.equal(text, range(index), bytes, places[index]) {
          ids.append(TokenID(bitPattern: entries[index] & Self.idMask) &- 1)
        } else {
          let found = find(hashes[index]) {
            Self.equal(text, range(index), bytes, pieces.range(Int($0)))
          }
          ids.append(found.id ?? -1)
        }
      }
    }
  }

  /// The entry whose bytes are those of `left` and then those of `right`.
  func id(joining left: TokenID, _ right: TokenID, in pieces: borrowing ByteStrings) -> TokenID? {
    let bytes = pieces.bytes.span
    let (left, right) = (pieces.range(Int(left)), pieces.range(Int(right)))
    var state = ByteHash(seed: seed)
    state.combine(bytes, left)
    state.combine(bytes, right)
    return find(state.finish()) {
      let whole = pieces.range(Int($0))
      guard whole.count == left.count + right.count else { return false }
      let middle = whole.lowerBound + left.count
      return Self.equal(bytes, left, bytes, whole.lowerBound..<middle)
        && Self.equal(bytes, right, bytes, middle..<whole.upperBound)
    }.id
  }

  private static let idMask: UInt32 = 0x00FF_FFFF

  private static func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 32) & ~idMask
  }

  @inline(__always)
  private func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

  /// The entry with this hash for which `isEqual` holds, or the free slot where it would be.
  @inline(__always)
  private func find(_ hash: UInt64, _ isEqual: (TokenID) -> Bool) -> (id: TokenID?, slot: Int) {
    let tag = Self.tag(hash)
    var slot = slot(hash)
    while true {
      let found = slots[slot]
      if found == 0 { return (nil, slot) }
      if found & ~Self.idMask == tag {
        let id = TokenID(bitPattern: found & Self.idMask) &- 1
        if isEqual(id) { return (id, slot) }
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
  }

  private func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var state = ByteHash(seed: seed)
    state.combine(bytes, range)
    return state.finish()
  }

  /// Whether two ranges hold the same bytes.
  @inline(__always)
  static func equal(
    _ first: Span<UInt8>, _ firstRange: Range<Int>, _ second: Span<UInt8>,
    _ secondRange: Range<Int>
  ) -> Bool {
    guard firstRange.count == secondRange.count else { return false }
    var start = 0
    while start < firstRange.count {
      let length = min(8, firstRange.count - start)
      let place = firstRange.lowerBound + start
      let other = secondRange.lowerBound + start
      guard first.word(at: place, length) == second.word(at: other, length) else { return false }
      start += 8
    }
    return true
  }
}
