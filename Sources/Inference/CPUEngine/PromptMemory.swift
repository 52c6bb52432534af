import Kernels
package import Tokenizers
package import Transformers

/// What the model has read: the live state, and snapshots of what it was at message boundaries.
///
/// A state that can go back to any earlier position is cut where a prompt departs from it. Others
/// (delta nets, windows, quantised keys and values) are replaced by the snapshot that reaches
/// furthest into the prompt. Tokens alone decide: what a snapshot holds follows from them.
package struct PromptMemory: Sendable {
  package private(set) var live: Reading
  private var cache: PrefixCache

  package init(_ state: ModelState, snapshotLimit: Int) {
    live = Reading(state: state)
    cache = PrefixCache(limit: snapshotLimit)
  }

  /// Bytes that snapshots take.
  package var snapshotByteCount: Int { cache.byteCount(beside: live) }

  /// The most bytes that snapshots may take.
  package var snapshotLimit: Int {
    get { cache.limit }
    set {
      cache.limit = newValue
      cache.trim(beside: live)
    }
  }

  /// All that was read and is still there, the live state first.
  package var readings: [Reading] { [live] + cache.readings }

  // MARK: A turn

  /// Makes the live state that of the longest prefix of `prompt` that is there, without its last
  /// token: that is always read again, for its logits.
  ///
  /// What was live before is kept, a message having ended there.
  package mutating func begin(_ prompt: [TokenID]) -> PromptReuse {
    cache.beginTurn()
    let prefix = prompt.dropLast()
    let snapshots = cache.readings
    let most = snapshots.reduce(live.common(with: prefix)) { max($0, $1.common(with: prefix)) }
    var reused = live.usable(for: prefix)
    var best: Int?
    for (index, snapshot) in snapshots.enumerated() {
      let usable = snapshot.usable(for: prefix)
      if usable > reused { (reused, best) = (usable, index) }
    }

    let before = live
    if let best {
      cache.use(best)
      live = snapshots[best]
    }
    live.truncate(to: reused)
    if !(live.state.isRewindable && reused == before.tokens.count && best == nil) {
      cache.insert(before, beside: live)
    }
    return PromptReuse(
      promptTokens: prompt.count, reused: reused, common: most, readBefore: before.tokens.count)
  }

  /// Where reading a prompt has to stop for a snapshot, ascending.
  ///
  /// One token before the end, so that another reply needs to read only the last; and where the
  /// prompt departs from what was read before, since a third one is likely to depart there too.
  package func stops(_ prompt: [TokenID], _ reuse: PromptReuse) -> [Int] {
    guard !live.state.isRewindable else { return [] }
    var stops: [Int] = []
    if reuse.common - reuse.reused >= Self.sharedTokens { stops.append(reuse.common) }
    let end = prompt.count - 1
    if end > reuse.reused, end != stops.last { stops.append(end) }
    return stops
  }

  /// Tokens in common that are worth a snapshot of their own.
  private static let sharedTokens = 64

  /// Keeps a copy of the live state.
  package mutating func keepSnapshot() {
    cache.insert(live, beside: live)
  }

  /// Gives back what snapshots take, for the rest of the turn; false if there were none.
  package mutating func dropSnapshots() -> Bool {
    guard snapshotByteCount > 0 else { return false }
    snapshotLimit = 0
    returnFreedMemory()
    return true
  }

  /// Ends a turn: what the live state has let go of since may be too much.
  package mutating func finish() {
    cache.trim(beside: live)
  }

  /// Lets `read` read tokens into the live state; what it throws leaves only what the state holds.
  package mutating func read(
    _ tokens: ArraySlice<TokenID>, _ read: (inout ModelState) throws -> Void
  ) throws {
    defer {
      // A pass that failed may have left nothing at all.
      live.tokens.removeLast(live.tokens.count - live.state.position)
    }
    live.tokens += tokens
    try read(&live.state)
  }

  /// Forgets the last `count` tokens that were read; the state must be able to go back.
  mutating func goBack(by count: Int) {
    live.truncate(to: live.tokens.count - count)
  }

  /// Whether the live state can do without the last `count` tokens that it has read.
  func canGoBack(by count: Int) -> Bool {
    live.state.canTruncate(to: live.tokens.count - count)
  }

  /// Makes an earlier copy of the live reading the live one again.
  mutating func goBack(to reading: Reading) {
    live = reading
  }

  // MARK: Sessions

  /// What of a conversation is worth keeping beyond this run: what reaches furthest into its tokens,
  /// and the longest snapshot on the way there to which that cannot go back.
  package func readingsToSave(of tokens: [TokenID]) -> [Reading] {
    var longest = live
    for snapshot in cache.readings
    where snapshot.usable(for: tokens[...]) > longest.usable(for: tokens[...]) {
      longest = snapshot
    }
    longest.truncate(to: longest.usable(for: tokens[...]))
    guard !longest.tokens.isEmpty else { return [] }
    let earlier = readings.filter {
      !$0.tokens.isEmpty && $0.tokens.count < longest.tokens.count
        && longest.tokens.starts(with: $0.tokens)
        && !longest.state.canTruncate(to: $0.tokens.count)
    }
    return [longest] + (earlier.max { $0.tokens.count < $1.tokens.count }.map { [$0] } ?? [])
  }

  /// Takes up what was read in another run; the first reading becomes the live one.
  package mutating func resume(_ readings: [Reading]) {
    guard let first = readings.first else { return }
    let before = live
    live = first
    cache.insert(before, beside: live)
    for reading in readings.dropFirst() { cache.insert(reading, beside: live) }
  }
}
