import Glibc
import Synchronization

/// The first signal that asked for an end.
final class Interrupt: Sendable {
  private let signal = Atomic<Int32>(0)

  /// Whether the signal is one to stop for.
  func note(_ number: Int32) -> Bool {
    guard number == SIGINT || number == SIGTERM else { return false }
    _ = signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    return true
  }

  /// Forgets it; SIGTERM stays.
  func settle() {
    _ = signal.compareExchange(expected: SIGINT, desired: 0, ordering: .relaxed)
    Signals.settle()
  }

  var exitCode: ExitCode? {
    switch signal.load(ordering: .relaxed) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    default: nil
    }
  }
}
