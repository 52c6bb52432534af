import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

// Linux counts the time in which some task waited for memory (pressure stall information). A trigger
// wakes its owner when a window of time had more of it than a threshold; one of 2 s needs no
// privilege. Where none can be set (an older kernel, a read-only /proc) the counter itself is read
// and compared with what it was a window ago, which tells the same a little later.

/// Memory pressure by Linux's pressure stall information.
package final class PressureStall: PressureSignal {
  private static let path = "/proc/pressure/memory"
  /// Microseconds of a window.
  static let window = 2_000_000
  /// Microseconds of waiting in a window that are pressure: a tenth, far above what a machine with
  /// memory to spare ever shows.
  static let threshold = 200_000

  private let trigger: PressureTrigger?
  private let files: SystemFiles
  private let now: @Sendable () -> ContinuousClock.Instant
  private let last: Mutex<Sample?>

  /// The counter at a moment.
  private struct Sample {
    var total: Int
    var time: ContinuousClock.Instant
  }

  /// Nil where the system counts nothing.
  ///
  /// Without `usesTrigger` the counter is read in any case.
  package init?(
    _ files: SystemFiles = .live, usesTrigger: Bool = true,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    guard let total = Self.total(files) else { return nil }
    self.files = files
    self.now = now
    trigger =
      usesTrigger
      ? PressureTrigger(path: Self.path, threshold: Self.threshold, window: Self.window) : nil
    last = Mutex(Sample(total: total, time: now()))
  }

  /// Whether a trigger could be set.
  package var hasTrigger: Bool { trigger != nil }

  package func hasOccurred() -> Bool {
    if let trigger { return trigger.hasFired() }
    guard let total = Self.total(files) else { return false }
    let time = now()
    return last.withLock { last in
      guard let before = last else { return false }
      let hasGrown = total - before.total >= Self.threshold
      if hasGrown || time - before.time >= .microseconds(Self.window) {
        last = Sample(total: total, time: time)
      }
      return hasGrown
    }
  }

  /// Microseconds in which some task waited, since the machine started.
  private static func total(_ files: SystemFiles) -> Int? {
    guard let text = files.text(path) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("some ") {
      for field in line.split(separator: " ") where field.hasPrefix("total=") {
        return Int(field.dropFirst("total=".count))
      }
    }
    return nil
  }
}

/// A descriptor on which the kernel tells of pressure.
private final class PressureTrigger: Sendable {
  private let descriptor: Int32

  init?(path: String, threshold: Int, window: Int) {
    #if os(Linux)
      descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      // The kernel wants the zero at the end of the text too.
      let text = "some \(threshold) \(window)".utf8CString
      let written = unsafe text.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      guard written == text.count else {
        close(descriptor)
        return nil
      }
    #else
      return nil
    #endif
  }

  deinit {
    close(descriptor)
  }

  /// Whether the trigger has fired since the last call.
  func hasFired() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
    guard unsafe poll(&request, 1, 0) > 0 else { return false }
    return request.revents & Int16(POLLPRI) != 0
  }
}
