/// What is told before something is tried again.
package struct RetryNote: Sendable {
  /// What went wrong.
  package let error: NetworkError
  /// The attempt that begins, from 1, of so many.
  package let attempt: Int
  package let attempts: Int
}

/// Counts failures, and waits between attempts.
struct Retry {
  private let settings: NetworkSettings
  private let pause: PauseSwitch
  private var failures = 0

  init(_ settings: NetworkSettings, pause: PauseSwitch) {
    self.settings = settings
    self.pause = pause
  }

  /// Something has come: failures before do not count any more.
  mutating func progressed() { failures = 0 }

  /// Waits before the next attempt, or throws the error when another is of no use; `isFirstContact`
  /// where nothing of use has ever come from there.
  mutating func after(_ error: any Error, isFirstContact: Bool) throws {
    guard let error = error as? NetworkError, error.mayPass else { throw error }
    failures += 1
    let attempts =
      isFirstContact ? min(settings.firstAttempts, settings.attempts) : settings.attempts
    guard failures < attempts else { throw isFirstContact ? error.ofFirstContact : error }
    var delay = min(
      settings.firstDelay * Double(1 << min(failures - 1, 10)), settings.longestDelay)
    if case .rateLimited(_, let seconds?) = error {
      guard seconds <= settings.longestWait else { throw error }
      delay = Double(max(0, seconds))
    }
    settings.retrying(RetryNote(error: error, attempt: failures + 1, attempts: attempts))
    // Not all at the same moment.
    pause.sleep(seconds: delay * Double.random(in: 0.8...1.2))
    if pause.isPaused { throw NetworkError.paused(done: 0, total: nil) }
  }
}

extension NetworkError {
  /// Whether trying again may help.
  var mayPass: Bool {
    switch self {
    case .unreachable, .interrupted, .rateLimited, .badResponse, .size, .changed: true
    case .status(_, let status): status >= 500 || status == 408 || status == 425
    default: false
    }
  }

  /// The same of a host that has never answered: no connection broke.
  fileprivate var ofFirstContact: NetworkError {
    if case .interrupted(let host, let reason) = self {
      .unreachable(host: host, reason: reason)
    } else {
      self
    }
  }
}
