/// Whether a model fits a machine.
package enum FitVerdict: Sendable, Hashable {
  /// It takes at most 70 % of what is available.
  case comfortable
  /// It takes more; the largest context that fits is given.
  case tight(largestContext: Int)
  /// It does not fit.
  case tooLarge
  /// Nothing is known of the machine.
  case unknown

  /// The verdict on a model with a context of `positions`; the largest that fits is looked for up to
  /// the model's own length, since a context that fits tightly is seldom the largest.
  package init(
    _ plan: MemoryPlan, positions: Int, modelLength: Int, on machine: MachineMemory
  ) {
    guard !machine.limits.isEmpty else {
      self = .unknown
      return
    }
    let need = plan.need(positions: positions)
    let isComfortable = machine.limits.allSatisfy { limit in
      let required = limit.kind == .data ? need.anonymous : need.total
      // In hundredths, and without an overflow for a need that no machine has.
      return required / MemorySlack.comfortablePercent < limit.available / 100
    }
    if isComfortable {
      self = .comfortable
    } else if let largest = MemoryBudget.largestContext(
      plan, on: machine, held: HeldMemory(), atMost: max(positions, modelLength))
    {
      self = .tight(largestContext: largest)
    } else {
      self = .tooLarge
    }
  }

  /// Whether a context may be chosen by default.
  package var isComfortable: Bool { self == .comfortable || self == .unknown }
}
