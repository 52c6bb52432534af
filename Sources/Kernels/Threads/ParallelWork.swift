/// Work on numbered items that a pool deals out.
///
/// A closure that captures anything costs an allocation to hand to other threads; a value of this
/// kind costs none, so whatever runs once per layer is one.
package protocol ParallelWork {
  /// Does some of the items; called on several threads at once, with a different worker on each.
  func perform(_ items: Range<Int>, worker: Int)

  /// Calls `perform` on the value at an address, for a caller that only knows the type.
  ///
  /// A requirement, so that each type has this compiled for itself and nothing is copied.
  static func perform(at address: UnsafeRawPointer, _ items: Range<Int>, worker: Int)
}

extension ParallelWork {
  static func perform(at address: UnsafeRawPointer, _ items: Range<Int>, worker: Int) {
    unsafe address.assumingMemoryBound(to: Self.self).pointee.perform(items, worker: worker)
  }
}

/// A closure as work.
struct ClosureWork: ParallelWork {
  let body: (Int, Int) -> Void

  func perform(_ items: Range<Int>, worker: Int) {
    for item in items {
      body(item, worker)
    }
  }
}
