import Synchronization

/// A truth that changes during a test.
final class Flag: Sendable {
  private let storage = Mutex(false)

  var value: Bool {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}
