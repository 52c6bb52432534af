/// A token that may be drawn.
struct Candidate: Sendable, Equatable {
  var logit: Float
  var token: Int32

  /// Whether this one is likelier; of equals, the lower token is.
  @inline(always)
  func precedes(_ other: Candidate) -> Bool {
    logit > other.logit || (logit == other.logit && token < other.token)
  }
}

/// Candidates as a binary heap, the extreme one first.
///
/// `limit` candidates are kept at most, and then the heap's head is the *unlikeliest* of them, so
/// that one comparison turns a newcomer away; without a limit the head is the likeliest, and only
/// as many as are wanted are taken off.
struct CandidateHeap: Sendable {
  private(set) var items: [Candidate] = []

  init(capacity: Int) {
    items.reserveCapacity(capacity)
  }

  var isEmpty: Bool { items.isEmpty }

  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
  }

  /// Appends without restoring the order; `makeLikeliestFirst()` must follow.
  @inline(always)
  mutating func append(_ candidate: Candidate) {
    items.append(candidate)
  }

  /// Orders all appended candidates, O(count).
  mutating func makeLikeliestFirst() {
    for index in (0..<items.count / 2).reversed() {
      sink(from: index) { $0.precedes($1) }
    }
  }

  /// Takes the likeliest off; `makeLikeliestFirst()` came before.
  mutating func popLikeliest() -> Candidate? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty {
      items[0] = last
      sink(from: 0) { $0.precedes($1) }
    }
    return first
  }

  /// Offers a candidate to a heap of the `limit` likeliest.
  mutating func offer(_ candidate: Candidate, limit: Int) {
    if items.count < limit {
      items.append(candidate)
      rise(from: items.count - 1)
    } else if let head = items.first, candidate.precedes(head) {
      items[0] = candidate
      sink(from: 0) { $1.precedes($0) }
    }
  }

  /// Sorts what `offer` has kept, the likeliest first.
  mutating func sortLikeliestFirst() {
    var end = items.count - 1
    while end > 0 {
      items.swapAt(0, end)
      sink(from: 0, end: end) { $1.precedes($0) }
      end -= 1
    }
  }

  private mutating func rise(from start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard items[parent].precedes(items[child]) else { return }
      items.swapAt(parent, child)
      child = parent
    }
  }

  @inline(always)
  private mutating func sink(
    from start: Int, end: Int? = nil, isAbove: (Candidate, Candidate) -> Bool
  ) {
    let end = end ?? items.count
    var parent = start
    while true {
      var child = 2 * parent + 1
      guard child < end else { return }
      if child + 1 < end, isAbove(items[child + 1], items[child]) { child += 1 }
      guard isAbove(items[child], items[parent]) else { return }
      items.swapAt(parent, child)
      parent = child
    }
  }
}
