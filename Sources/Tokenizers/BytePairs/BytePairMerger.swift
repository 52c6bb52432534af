/// Merges neighbouring symbols until no rule applies: always the pair of the lowest rank, the
/// leftmost of equals.
///
/// A short sequence is scanned for its best pair each time. A long one, where that would be
/// quadratic, is a linked list whose pairs wait in a queue: O(n log n). An entry of the queue is
/// stale, and skipped, when the pair at its position no longer has its rank.
///
/// The arrays are scratch, kept between sequences.
struct BytePairMerger {
  private static let longest = 128

  private var symbols: [TokenID] = []
  /// What the symbol at each position and the next become.
  private var merges: [Merge] = []
  private var next: [Int32] = []
  private var previous: [Int32] = []
  private var queue = MergeQueue()

  /// Starts a sequence.
  mutating func begin() {
    symbols.removeAll(keepingCapacity: true)
  }

  mutating func append(_ symbol: TokenID) {
    symbols.append(symbol)
  }

  /// Merges the sequence and appends what is left of it to `output`.
  mutating func finish(by rule: borrowing some MergeRule, into output: inout [TokenID]) {
    if symbols.count > 1 {
      merges.removeAll(keepingCapacity: true)
      for position in 0..<symbols.count - 1 {
        merges.append(rule.merge(symbols[position], symbols[position + 1]))
      }
      merges.append(.none)
      guard symbols.count <= Self.longest else {
        mergeByQueue(rule, into: &output)
        return
      }
      mergeByScanning(rule)
    }
    output.append(contentsOf: symbols)
  }

  private mutating func mergeByScanning(_ rule: borrowing some MergeRule) {
    while true {
      var best = 0
      for position in 1..<merges.count where merges[position].rank < merges[best].rank {
        best = position
      }
      guard merges[best] != .none else { return }
      symbols[best] = merges[best].result
      symbols.remove(at: best + 1)
      merges.remove(at: best + 1)
      if best + 1 < symbols.count {
        merges[best] = rule.merge(symbols[best], symbols[best + 1])
      } else {
        merges[best] = .none
      }
      if best > 0 {
        merges[best - 1] = rule.merge(symbols[best - 1], symbols[best])
      }
    }
  }

  private mutating func mergeByQueue(
    _ rule: borrowing some MergeRule, into output: inout [TokenID]
  ) {
    let count = symbols.count
    next.removeAll(keepingCapacity: true)
    previous.removeAll(keepingCapacity: true)
    queue.prepare(ranks: rule.rankCount)
    for position in 0..<count {
      next.append(Int32(truncatingIfNeeded: position + 1 == count ? -1 : position + 1))
      previous.append(Int32(truncatingIfNeeded: position - 1))
      enqueue(position)
    }
    while let (rank, place) = queue.pop() {
      let position = Int(place)
      let merge = merges[position]
      guard merge != .none, merge.rank == rank else { continue }
      let right = Int(next[position])
      let after = next[right]
      symbols[position] = merge.result
      merges[right] = .none
      merges[position] = .none
      next[position] = after
      if after >= 0 {
        previous[Int(after)] = Int32(truncatingIfNeeded: position)
        merges[position] = rule.merge(merge.result, symbols[Int(after)])
        enqueue(position)
      }
      let before = Int(previous[position])
      if before >= 0 {
        merges[before] = rule.merge(symbols[before], merge.result)
        enqueue(before)
      }
    }
    var position = 0
    while position >= 0 {
      output.append(symbols[position])
      position = Int(next[position])
    }
  }

  private mutating func enqueue(_ position: Int) {
    let merge = merges[position]
    if merge != .none {
      queue.push(rank: merge.rank, position: Int32(truncatingIfNeeded: position))
    }
  }
}
