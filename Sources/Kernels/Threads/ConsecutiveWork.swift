/// Two kinds of work in one region: the items of the second follow those of the first.
struct ConsecutiveWork<First: ParallelWork, Second: ParallelWork>: ParallelWork {
  let first: First
  /// Items of the first.
  let count: Int
  let second: Second

  func perform(_ items: Range<Int>, worker: Int) {
    let before = items.clamped(to: 0..<count)
    if !before.isEmpty { first.perform(before, worker: worker) }
    let after = max(items.lowerBound, count)..<max(items.upperBound, count)
    if !after.isEmpty {
      second.perform(after.lowerBound - count..<after.upperBound - count, worker: worker)
    }
  }
}
