/// Merges neighbouring symbols until no rule applies: always the pair of the lowest rank, the
/// leftmost of equals.
///
/// A short sequence is scanned for its best pair each time. A long one, where that would be
/// quadratic, goes through a heap of (rank, position) over a linked list: O(n log n). An entry
/// of the heap is stale, and skipped, when the pair at its position no longer has its rank.
///
/// The arrays are scratch, kept between sequences.
struct BytePairMerger {
  private static let longest = 40

  private var symbols: [TokenID] = []
  /// What the symbol at each position and the next become.
  private var merges: [Merge] = []
  private var next: [Int32] = []
  private var previous: [Int32] = []
  private var heap = MinHeap()

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
        mergeByHeap(rule, into: &output)
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

  private mutating func mergeByHeap(
    _ rule: borrowing some MergeRule, into output: inout [TokenID]
  ) {
    let count = symbols.count
    next.removeAll(keepingCapacity: true)
    previous.removeAll(keepingCapacity: true)
    heap.removeAll()
    for position in 0..<count {
      next.append(Int32(truncatingIfNeeded: position + 1 == count ? -1 : position + 1))
      previous.append(Int32(truncatingIfNeeded: position - 1))
      if merges[position] != .none {
        heap.append(UInt64(merges[position].rank) << 32 | UInt64(position))
      }
    }
    heap.order()
    while let top = heap.popMin() {
      let position = Int(truncatingIfNeeded: top & 0xFFFF_FFFF)
      let merge = merges[position]
      guard merge != .none, UInt64(merge.rank) == top >> 32 else { continue }
      let right = Int(next[position])
      let after = next[right]
      symbols[position] = merge.result
      merges[right] = .none
      next[position] = after
      if after >= 0 {
        previous[Int(after)] = Int32(truncatingIfNeeded: position)
        update(position, rule.merge(merge.result, symbols[Int(after)]))
      } else {
        merges[position] = .none
      }
      let before = Int(previous[position])
      if before >= 0 {
        update(before, rule.merge(symbols[before], merge.result))
      }
    }
    var position = 0
    while position >= 0 {
      output.append(symbols[position])
      position = Int(next[position])
    }
  }

  private mutating func update(_ position: Int, _ merge: Merge) {
    merges[position] = merge
    if merge != .none {
      heap.push(UInt64(merge.rank) << 32 | UInt64(position))
    }
  }
}

/// A binary heap of integers, least first.
struct MinHeap {
  private var items: [UInt64] = []

  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
  }

  /// Adds an item out of order; `order()` must follow.
  mutating func append(_ item: UInt64) {
    items.append(item)
  }

  mutating func order() {
    for position in stride(from: items.count / 2 - 1, through: 0, by: -1) {
      sink(items[position], from: position)
    }
  }

  mutating func push(_ item: UInt64) {
    var position = items.count
    items.append(item)
    while position > 0 {
      let parent = (position - 1) / 2
      guard items[parent] > item else { break }
      items[position] = items[parent]
      position = parent
    }
    items[position] = item
  }

  mutating func popMin() -> UInt64? {
    guard let last = items.popLast() else { return nil }
    guard let least = items.first else { return last }
    sink(last, from: 0)
    return least
  }

  /// Puts `item` at `start` or below, where the order holds again.
  private mutating func sink(_ item: UInt64, from start: Int) {
    var position = start
    while true {
      var child = position * 2 + 1
      guard child < items.count else { break }
      if child + 1 < items.count, items[child + 1] < items[child] { child += 1 }
      guard items[child] < item else { break }
      items[position] = items[child]
      position = child
    }
    items[position] = item
  }
}
