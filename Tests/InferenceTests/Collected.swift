import Synchronization

/// What closures on other threads were given.
final class Collected<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }
}
