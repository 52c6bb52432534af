import Synchronization

/// A flag that any thread may set, once and for all, to stop work between two items.
@safe package final class CancellationFlag: @unchecked Sendable {
  // Behind a pointer of its own, so that a worker looks at it without counting references.
  let word: UnsafeMutablePointer<Atomic<Bool>>

  package init() {
    unsafe word = .allocate(capacity: 1)
    unsafe word.initialize(to: Atomic(false))
  }

  deinit {
    unsafe word.deinitialize(count: 1)
    unsafe word.deallocate()
  }

  package func cancel() {
    unsafe word.pointee.store(true, ordering: .releasing)
  }

  package var isCancelled: Bool {
    unsafe word.pointee.load(ordering: .acquiring)
  }
}
