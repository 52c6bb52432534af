import Dispatch
import Glibc
import Synchronization

/// Waits for any key while something else goes on.
///
/// Typing is neither echoed nor kept for a line meanwhile; `stop` gives the terminal back.
final class KeyWatch: Sendable {
  private let saved: termios
  private let isStopped = Atomic(false)

  /// Nil where there is no terminal to type at.
  init?(onKey: @escaping @Sendable () -> Void) {
    var settings = termios()
    guard Descriptor.input.isTerminal, unsafe tcgetattr(0, &settings) == 0 else { return nil }
    saved = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard unsafe tcsetattr(0, TCSANOW, &settings) == 0 else { return nil }
    DispatchQueue(label: "keys", qos: .userInteractive).async { [self] in
      while !isStopped.load(ordering: .relaxed) {
        if Descriptor.input.isReadable(within: 50) {
          _ = try? Descriptor.input.read(64)
          return onKey()
        }
      }
    }
  }

  func stop() {
    if isStopped.exchange(true, ordering: .relaxed) { return }
    var settings = saved
    unsafe _ = tcsetattr(0, TCSANOW, &settings)
  }
}
