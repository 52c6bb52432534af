import Inference
import Synchronization
import Testing

@Suite struct PressureStallTests {
  /// A counter of pressure and a clock that a test sets.
  private final class Counter: Sendable {
    let total = Mutex(5_000_000)
    let time = Mutex(ContinuousClock.now)

    var files: SystemFiles {
      SystemFiles(
        text: { path in
          guard path == "/proc/pressure/memory" else { return nil }
          let total = self.total.withLock { $0 }
          return """
            some avg10=0.00 avg60=0.00 avg300=0.00 total=\(total)
            full avg10=0.00 avg60=0.00 avg300=0.00 total=17
            """
        }, names: { _ in [] })
    }

    func pass(_ milliseconds: Int, stalled: Int) {
      time.withLock { $0 += .milliseconds(milliseconds) }
      total.withLock { $0 += stalled * 1000 }
    }
  }

  @Test func theCounterIsReadWhereNoTriggerIs() throws {
    let counter = Counter()
    let now = { @Sendable in counter.time.withLock { $0 } }
    let signal = try #require(PressureStall(counter.files, usesTrigger: false, now: now))
    #expect(!signal.hasTrigger)
    #expect(!signal.hasOccurred())
    // A tenth of two seconds.
    counter.pass(250, stalled: 199)
    #expect(!signal.hasOccurred())
    counter.pass(250, stalled: 1)
    #expect(signal.hasOccurred())
    // It is told once.
    #expect(!signal.hasOccurred())
    // The same spread over more than a window is none.
    for _ in 0..<20 {
      counter.pass(1000, stalled: 90)
      #expect(!signal.hasOccurred())
    }
  }

  @Test func noCounterNoSignal() {
    #expect(PressureStall(.invented([:])) == nil)
    #expect(PressureStall(.invented(["/proc/pressure/memory": "rubbish"])) == nil)
  }

  #if os(Linux)
    @Test func thisMachine() {
      guard let signal = PressureStall() else { return }
      // Whichever of the two it is, a calm moment is none.
      _ = signal.hasOccurred()
      #expect(signal.hasTrigger || PressureStall(usesTrigger: false) != nil)
    }
  #endif
}
