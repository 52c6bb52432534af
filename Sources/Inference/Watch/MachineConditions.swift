/// What a machine tells of itself while a reply is computed; a test invents it.
package struct MachineConditions: Sendable {
  /// Begins to listen for memory pressure; nil where the system tells of none.
  package var pressure: @Sendable () -> (any PressureSignal)?
  package var thermometer: Thermometer
  /// Lets the machine rest.
  package var rest: @Sendable (Duration) -> Void
  package var now: @Sendable () -> ContinuousClock.Instant

  package init(
    pressure: @escaping @Sendable () -> (any PressureSignal)? = { PressureStall() },
    thermometer: Thermometer = Thermometer(),
    rest: @escaping @Sendable (Duration) -> Void = { sleepOnThread($0) },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.pressure = pressure
    self.thermometer = thermometer
    self.rest = rest
    self.now = now
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Blocks the calling thread, which must not be one of the cooperative pool.
package func sleepOnThread(_ duration: Duration) {
  let (seconds, attoseconds) = duration.components
  var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  unsafe _ = nanosleep(&time, nil)
}
