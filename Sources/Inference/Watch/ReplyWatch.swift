/// Watches memory and heat while a reply is computed, a few times a second.
///
/// Memory is taken back in the order of what it costs: first the snapshots, which spare only time; the
/// reply itself goes last, and what was said of it is kept. Between the two there is nothing: the
/// prepared weights are pages of the process's own, which cannot be dropped and read again, and
/// the source's pages were let go of while they were prepared.
package struct ReplyWatch {
  /// Why a reply has to end.
  package struct Stop: Sendable, Hashable {
    package var reason: StopReason
    /// The figures, as a sentence.
    package var note: String

    package init(reason: StopReason, note: String) {
      self.reason = reason
      self.note = note
    }
  }

  private let budget: MemoryBudget
  private let conditions: MachineConditions
  private let pressure: (any PressureSignal)?
  private var nextLook: ContinuousClock.Instant
  private var rested = Duration.zero
  private var isOverridden = false

  /// Reading the system's files takes some tenths of a millisecond, a word of a fast model a few.
  static let interval = Duration.milliseconds(250)
  /// How long a reply may stand still for the machine to cool.
  static let longestRest = Duration.seconds(30)

  package init(budget: MemoryBudget, conditions: MachineConditions) {
    self.budget = budget
    self.conditions = conditions
    pressure = conditions.pressure()
    nextLook = conditions.now() + Self.interval
  }

  /// Looks at the machine if it is time to.
  ///
  /// `dropSnapshots` gives memory back and returns whether there was any. While the machine is too
  /// hot this blocks, as long as `isCancelled` is false.
  package mutating func look(
    dropSnapshots: () -> Bool, isCancelled: () -> Bool
  ) -> Stop? {
    guard conditions.now() >= nextLook else { return nil }
    defer { nextLook = conditions.now() + Self.interval }
    return lookAtMemory(dropSnapshots) ?? lookAtHeat(isCancelled)
  }

  private mutating func lookAtMemory(_ dropSnapshots: () -> Bool) -> Stop? {
    if var shortage = budget.crossedRedLine() {
      if dropSnapshots() {
        guard let limit = budget.crossedRedLine() else { return nil }
        shortage = limit
      }
      return stop(.redLine(shortage))
    }
    guard pressure?.hasOccurred() == true else { return nil }
    if dropSnapshots() { return nil }
    // Others may be short of memory within limits of their own, which stopping would not help.
    guard let shortage = budget.exhausted() else { return nil }
    return stop(.pressure(shortage))
  }

  private mutating func stop(_ shortfall: ReplyShortfall) -> Stop? {
    guard budget.isForced else { return Stop(reason: .memory, note: shortfall.description) }
    if !isOverridden { budget.warn(.goingOn(shortfall)) }
    isOverridden = true
    return nil
  }

  /// `--force` is about memory: nobody gains from a machine that switches itself off.
  private mutating func lookAtHeat(_ isCancelled: () -> Bool) -> Stop? {
    guard var heat = conditions.thermometer.heat() else { return nil }
    budget.warn(.cooling(heat))
    while !isCancelled() {
      guard rested < Self.longestRest else {
        return Stop(reason: .heat, note: ReplyShortfall.heat(heat, rested).description)
      }
      conditions.rest(Self.interval)
      rested += Self.interval
      guard let still = conditions.thermometer.heat(isCooling: true) else { return nil }
      heat = still
    }
    return nil
  }
}
