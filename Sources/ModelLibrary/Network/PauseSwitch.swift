import Glibc
import Synchronization

/// Stops a download from another thread; what has come is kept.
package final class PauseSwitch: Sendable {
  private let isOn = Atomic(false)

  package init() {}

  package func pause() { isOn.store(true, ordering: .relaxed) }

  package var isPaused: Bool { isOn.load(ordering: .relaxed) }

  /// Waits; a pause ends it early.
  func sleep(seconds: Double) {
    let slice = 0.05
    var rest = seconds
    while rest > 0, !isPaused {
      usleep(UInt32(min(slice, rest) * 1e6))
      rest -= slice
    }
  }
}
