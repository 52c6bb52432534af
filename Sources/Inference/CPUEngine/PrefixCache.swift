import Tokenizers
import Transformers

/// Snapshots of what was read, within a number of bytes.
///
/// A snapshot shares the blocks of keys and values with the state it was made of, and with other
/// snapshots; each is counted once, and those that the live state keeps as they are not at all.
///
/// When there is too much, the snapshot that saves least goes first: the tokens that would have to
/// be read again without it, by the turns since it was last of use. So of old turns those remain
/// from which most can be reached, rather than the newest of them; those made or used in the
/// present turn go last, because regenerating and editing the last message are the most likely.
struct PrefixCache: Sendable {
  private struct Snapshot {
    let reading: Reading
    /// The turn in which it was last made or restored.
    var lastUse: Int
  }

  private var snapshots: [Snapshot] = []
  private var turn = 0

  /// The most bytes that snapshots take beside the live state.
  var limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  var readings: [Reading] { snapshots.map(\.reading) }

  /// Begins a turn, from which on older snapshots are of less use.
  mutating func beginTurn() {
    turn += 1
  }

  /// Notes that a snapshot was of use.
  mutating func use(_ index: Int) {
    snapshots[index].lastUse = turn
  }

  /// Keeps a copy of `reading`, unless another gives the same.
  mutating func insert(_ reading: Reading, beside live: Reading) {
    guard !reading.tokens.isEmpty else { return }
    if let index = snapshots.firstIndex(where: { $0.reading.tokens == reading.tokens }) {
      return use(index)
    }
    if let index = snapshots.firstIndex(where: { $0.reading.replaces(reading) }) {
      return use(index)
    }
    snapshots.removeAll { reading.replaces($0.reading) }
    snapshots.append(Snapshot(reading: reading, lastUse: turn))
    trim(beside: live)
  }

  /// Lets go of what the live state gives as well, and of the least useful until the rest is within
  /// the limit.
  mutating func trim(beside live: Reading) {
    if live.state.isRewindable {
      snapshots.removeAll { live.replaces($0.reading) }
    }
    while !snapshots.isEmpty, byteCount(beside: live) > limit {
      let values = snapshots.indices.map { value(of: $0, beside: live) }
      guard let least = values.indices.min(by: { values[$0] < values[$1] }) else { return }
      snapshots.remove(at: least)
    }
  }

  mutating func removeAll() {
    snapshots.removeAll()
  }

  /// Bytes that the snapshots take beside a live state, or will once that has gone on.
  func byteCount(beside live: Reading) -> Int {
    guard !snapshots.isEmpty else { return 0 }
    var counted: Set<ObjectIdentifier> = []
    live.state.forEachPart { if $0.isLasting { counted.insert($0.identity) } }
    var sum = 0
    for snapshot in snapshots {
      sum += snapshot.reading.tokens.count * MemoryLayout<TokenID>.stride
      snapshot.reading.state.forEachPart {
        if counted.insert($0.identity).inserted { sum += $0.byteCount }
      }
    }
    return sum
  }

  /// Tokens that a snapshot spares reading again, by the turns since it was of use; the present
  /// turn's are above all others.
  private func value(of index: Int, beside live: Reading) -> (isPresent: Int, tokens: Double) {
    let snapshot = snapshots[index]
    let tokens = snapshot.reading.tokens
    var others = live.usable(for: tokens[...])
    for other in snapshots.indices where other != index {
      others = max(others, snapshots[other].reading.usable(for: tokens[...]))
    }
    let age = turn - snapshot.lastUse
    return (age == 0 ? 1 : 0, Double(tokens.count - others) / Double(max(age, 1)))
  }
}

extension Reading {
  /// Whether this one can go back to another reading and to all that the other can go back to.
  fileprivate func replaces(_ other: Reading) -> Bool {
    tokens.count >= other.tokens.count && usable(for: other.tokens[...]) == other.tokens.count
      && state.earliestPosition <= other.state.earliestPosition
  }
}
