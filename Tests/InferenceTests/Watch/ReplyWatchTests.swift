import Inference
import Synchronization
import Testing

@Suite struct ReplyWatchTests {
  private let machine = InventedConditions()

  /// Snapshots that a test can count.
  private final class Snapshots {
    var count = 0
    var drops = 0

    func drop() -> Bool {
      defer { count = 0 }
      drops += count > 0 ? 1 : 0
      return count > 0
    }
  }

  private func look(
    _ watch: inout ReplyWatch, _ snapshots: Snapshots, after pause: Duration = .milliseconds(250)
  ) -> ReplyWatch.Stop? {
    machine.pass(pause)
    return watch.look(dropSnapshots: snapshots.drop, isCancelled: { false })
  }

  @Test func looksFourTimesASecond() {
    var watch = ReplyWatch(budget: machine.budget, conditions: machine.conditions)
    machine.state.withLock { $0.free = 0 }
    let none = Snapshots()
    #expect(look(&watch, none, after: .milliseconds(249)) == nil)
    #expect(look(&watch, none, after: .milliseconds(1))?.reason == .memory)
  }

  @Test func theRedLineStopsWithFigures() {
    var watch = ReplyWatch(budget: machine.budget, conditions: machine.conditions)
    let none = Snapshots()
    // The slack of 8 GB is 200 MB, the red line half of it.
    machine.state.withLock { $0.free = 101_000_000 }
    #expect(look(&watch, none) == nil)
    machine.state.withLock { $0.free = 99_000_000 }
    #expect(
      look(&watch, none)
        == .init(
          reason: .memory,
          note: """
            The reply was stopped: memory ran short, 99.0 MB is left of the machine's memory and \
            100 MB is the least that has to be.
            """))
  }

  @Test func snapshotsGoBeforeTheReply() {
    var watch = ReplyWatch(budget: machine.budget, conditions: machine.conditions)
    let snapshots = Snapshots()
    snapshots.count = 3
    machine.state.withLock { $0.free = 50_000_000 }
    machine.pass(.milliseconds(250))
    let machine = machine
    // They take 500 MB.
    let stop = watch.look(
      dropSnapshots: {
        machine.state.withLock { $0.free += 500_000_000 }
        return snapshots.drop()
      }, isCancelled: { false })
    #expect(stop == nil)
    #expect(snapshots.drops == 1)
    // When they do not suffice, the reply goes too.
    snapshots.count = 1
    machine.state.withLock { $0.free = 50_000_000 }
    #expect(look(&watch, snapshots)?.reason == .memory)
    #expect(snapshots.drops == 2)
  }

  @Test func pressureTakesSnapshotsThenTheReply() {
    var watch = ReplyWatch(budget: machine.budget, conditions: machine.conditions)
    let snapshots = Snapshots()
    snapshots.count = 2
    // Nothing but slack is left, but the red line is far.
    machine.state.withLock { $0.free = 150_000_000 }
    #expect(look(&watch, snapshots) == nil)
    #expect(snapshots.drops == 0)
    machine.state.withLock { $0.pressure = 1 }
    #expect(look(&watch, snapshots) == nil)
    #expect(snapshots.drops == 1)
    // It is heard once.
    #expect(look(&watch, snapshots) == nil)
    machine.state.withLock { $0.pressure = 1 }
    let stop = look(&watch, snapshots)
    #expect(stop?.reason == .memory)
    #expect(stop?.note.contains("under pressure and 150 MB is left") == true)
  }

  @Test func othersPressureStopsNobody() {
    var watch = ReplyWatch(budget: machine.budget, conditions: machine.conditions)
    machine.state.withLock {
      $0.free = 4 * gigabyte
      $0.pressure = 1
    }
    #expect(look(&watch, Snapshots()) == nil)
    #expect(machine.state.withLock { $0.pressure } == 0)
  }

  @Test func forcedGoesOnAndSaysSoOnce() {
    let warnings = Collected<MachineWarning>()
    var budget = machine.budget
    budget.isForced = true
    budget.warn = { warnings.append($0) }
    var watch = ReplyWatch(budget: budget, conditions: machine.conditions)
    machine.state.withLock { $0.free = 0 }
    for _ in 0..<5 { #expect(look(&watch, Snapshots()) == nil) }
    #expect(
      warnings.all.map(\.description) == [
        """
        memory ran short, 0 B is left of the machine's memory and 100 MB is the least that has to \
        be; going on (--force).
        """
      ])
  }

  @Test func heatRestsUntilItIsCooler() {
    machine.addZone(degrees: 96)
    machine.state.withLock { $0.cooling = 1000 }
    let warnings = Collected<MachineWarning>()
    var budget = machine.budget
    budget.warn = { warnings.append($0) }
    var watch = ReplyWatch(budget: budget, conditions: machine.conditions)
    #expect(look(&watch, Snapshots()) == nil)
    // From 96 degrees to below 92, a degree a second.
    let rested = machine.state.withLock { $0.rested }
    #expect(rested >= .seconds(4) && rested <= .milliseconds(4500))
    #expect(
      warnings.all.map(\.description) == [
        """
        The machine is too hot (x86_pkg_temp at 96 °C, its limit is 95); resting until it has cooled.
        """
      ])
    #expect(look(&watch, Snapshots()) == nil)
    #expect(machine.state.withLock { $0.rested } == rested)
  }

  @Test func heatThatStaysStopsTheReply() {
    machine.addZone(degrees: 99)
    var watch = ReplyWatch(budget: machine.budget, conditions: machine.conditions)
    let stop = look(&watch, Snapshots())
    #expect(stop?.reason == .heat)
    #expect(
      stop?.note == """
        The reply was stopped: the machine stayed too hot, x86_pkg_temp at 99 °C after a rest of \
        30 s.
        """)
    #expect(machine.state.withLock { $0.rested } == .seconds(30))
  }

  @Test func restingHearsOfCancelling() {
    machine.addZone(degrees: 99)
    var watch = ReplyWatch(budget: machine.budget, conditions: machine.conditions)
    machine.pass(.seconds(1))
    var asked = 0
    let stop = watch.look(
      dropSnapshots: { false },
      isCancelled: {
        asked += 1
        return asked > 3
      })
    #expect(stop == nil)
    #expect(machine.state.withLock { $0.rested } == .milliseconds(750))
  }

  @Test func forceIsNotForHeat() {
    machine.addZone(degrees: 99)
    var budget = machine.budget
    budget.isForced = true
    var watch = ReplyWatch(budget: budget, conditions: machine.conditions)
    #expect(look(&watch, Snapshots())?.reason == .heat)
  }
}
