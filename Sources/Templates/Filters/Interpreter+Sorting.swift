/// An element with what it is sorted by.
struct Keyed {
  var keys: [TemplateValue]
  var element: TemplateValue
}

extension Interpreter {
  /// A stable merge sort.
  ///
  /// Written out because comparing can fail and is paid for, which the standard library's sort
  /// would have to be told through a closure that captures the interpreter.
  mutating func sorted(_ items: [Keyed], reverse: Bool) throws(TemplateError) -> [Keyed] {
    guard items.count > 1 else { return items }
    var items = items
    var width = 1
    while width < items.count {
      var merged: [Keyed] = []
      merged.reserveCapacity(items.count)
      for start in stride(from: 0, to: items.count, by: 2 * width) {
        let middle = min(start + width, items.count)
        let end = min(start + 2 * width, items.count)
        try merge(items[start..<middle], items[middle..<end], reverse: reverse, into: &merged)
      }
      items = merged
      width *= 2
    }
    return items
  }

  private mutating func merge(
    _ left: ArraySlice<Keyed>, _ right: ArraySlice<Keyed>, reverse: Bool,
    into merged: inout [Keyed]
  ) throws(TemplateError) {
    var left = left
    var right = right
    while let first = left.first, let second = right.first {
      // A tie goes to the left in both directions, which keeps the sort stable.
      let takesRight = reverse ? try isLess(first, second) : try isLess(second, first)
      merged.append(takesRight ? second : first)
      if takesRight { right.removeFirst() } else { left.removeFirst() }
    }
    merged += left
    merged += right
  }

  private mutating func isLess(_ left: Keyed, _ right: Keyed) throws(TemplateError) -> Bool {
    for (first, second) in zip(left.keys, right.keys) {
      if try precedes(first, second) { return true }
      if try precedes(second, first) { return false }
    }
    return false
  }
}
