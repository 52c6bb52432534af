/// Decides whether something may be allocated, before it is.
///
/// Knows nothing of engines: who asks brings what he needs as a `MemoryPlan`, and the machine is
/// looked at anew each time.
package struct MemoryBudget: Sendable {
  /// Whether a refusal for memory is overridden (`--force`); the context's end never is.
  package var isForced: Bool
  /// Looks at the machine.
  package var machine: @Sendable () -> MachineMemory
  /// Names an installed model that needs at most `available` bytes and has fewer than `weights` bytes
  /// of weights, for a refusal to point to.
  package var smallerModel: @Sendable (_ available: Int, _ weights: Int) -> String?
  /// Notes loads, to know of those that nobody survived.
  package var sentinel: LoadSentinel?
  /// Is told what a user has to know at once; called on the engine's threads.
  package var warn: @Sendable (MachineWarning) -> Void

  package init(
    isForced: Bool = false,
    machine: @escaping @Sendable () -> MachineMemory = { .probe() },
    smallerModel: @escaping @Sendable (_ available: Int, _ weights: Int) -> String? = { _, _ in
      nil
    },
    sentinel: LoadSentinel? = nil,
    warn: @escaping @Sendable (MachineWarning) -> Void = { _ in }
  ) {
    self.isForced = isForced
    self.machine = machine
    self.smallerModel = smallerModel
    self.sentinel = sentinel
    self.warn = warn
  }

  /// Admits a model with a context, or a prompt and its reply.
  ///
  /// `positions` is what the context or prompt and reply have; `held` what of the plan is in
  /// memory already. A machine of which nothing is known admits everything.
  ///
  /// - Throws: `MemoryRefusal.memory`, unless forced.
  @discardableResult
  package func admit(
    _ plan: MemoryPlan, positions: Int, held: HeldMemory = HeldMemory()
  ) throws(MemoryRefusal) -> MemoryAdmission {
    let machine = machine()
    let need = plan.need(positions: positions)
    let shortest = machine.limits
      .map { (limit: $0, missing: Self.missing(of: need, held: held, under: $0)) }
      .max { $0.missing < $1.missing }
    guard let shortest, shortest.missing > 0 else {
      return MemoryAdmission(need: need, available: machine.available, isForced: false)
    }
    let available = shortest.limit.available
    let refusal = MemoryRefusal.memory(
      MemoryShortage(
        needed: available.added(clamping: shortest.missing), available: available,
        limit: shortest.limit.description, contextLength: positions,
        largestContext: Self.largestContext(
          plan, on: machine, held: held, atMost: positions),
        smallerModel: isForced
          ? nil : smallerModel(available, need.anonymousWeights.added(clamping: need.mappedWeights))
      ))
    guard isForced else { throw refusal }
    warn(.forced(refusal))
    return MemoryAdmission(need: need, available: machine.available, isForced: true)
  }

  /// Notes that a model's load begins, in which `byteCount` bytes are allocated; the note goes with
  /// the object that is returned.
  ///
  /// - Throws: `MemoryRefusal.deaths`, unless forced.
  package func beginLoad(
    path: String, name: String, byteCount: Int
  ) throws(MemoryRefusal) -> LoadMarker? {
    guard let sentinel else { return nil }
    do {
      return try sentinel.begin(path: path, name: name, byteCount: byteCount)
    } catch {
      guard isForced else { throw error }
      warn(.forced(error))
      return try sentinel.begin(path: path, name: name, byteCount: byteCount, isForced: true)
    }
  }

  /// The largest context that the machine carries now, a multiple of the block; nil when not even
  /// the smallest useful one does.
  package func largestContext(
    _ plan: MemoryPlan, held: HeldMemory = HeldMemory(), atMost longest: Int
  ) -> Int? {
    Self.largestContext(plan, on: machine(), held: held, atMost: longest)
  }

  /// Bytes that are left beside a plan with so many positions, none where it does not fit.
  static func spare(
    beside plan: MemoryPlan, positions: Int, held: HeldMemory, on machine: MachineMemory,
    atMost most: Int
  ) -> Int {
    let need = plan.need(positions: positions)
    return machine.limits.reduce(most) {
      max(0, min($0, -missing(of: need, held: held, under: $1)))
    }
  }

  /// The limit whose red line is crossed, or nil: a reply is then to be stopped and kept.
  package func crossedRedLine() -> MemoryLimit? {
    machine().limits.first { $0.free < MemorySlack.redLine(of: $0) }
  }

  /// The limit of which nothing is left but slack, or nil.
  package func exhausted() -> MemoryLimit? {
    machine().limits.first { $0.available == 0 }
  }

  /// A shorter context is of no use.
  package static let smallestContext = 256

  static func largestContext(
    _ plan: MemoryPlan, on machine: MachineMemory, held: HeldMemory, atMost longest: Int
  ) -> Int? {
    func fits(_ positions: Int) -> Bool {
      let need = plan.need(positions: positions)
      return machine.limits.allSatisfy { missing(of: need, held: held, under: $0) <= 0 }
    }
    let smallest = min(smallestContext, longest)
    guard longest > 0, fits(smallest) else { return nil }
    guard !fits(longest) else { return longest }
    // A longer context never needs less.
    var low = smallest / MemoryPlan.blockPositions
    var high = longest / MemoryPlan.blockPositions + 1
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if fits(middle * MemoryPlan.blockPositions) { low = middle } else { high = middle }
    }
    return max(smallest, low * MemoryPlan.blockPositions)
  }

  /// How many bytes more than available it takes; not positive if it fits.
  static func missing(
    of need: MemoryNeed, held: HeldMemory, under limit: MemoryLimit
  ) -> Int {
    let required: Int
    switch limit.kind {
    case .machine:
      // Resident pages of mapped files count as available, so they are still to be paid for.
      required = need.total - held.anonymous
    case .controlGroup:
      // Here only inactive ones do.
      required = need.total - held.anonymous - min(held.mapped, limit.activeFilePages)
    case .addressSpace:
      required = need.total - held.anonymous - held.mapped
    case .data:
      required = need.anonymous - held.anonymous
    }
    return max(0, required) - limit.available
  }
}

/// A load or prompt that memory allows, or that was forced.
package struct MemoryAdmission: Sendable, Hashable, Codable {
  package var need: MemoryNeed
  /// Bytes that were available; nil when nothing is known of the machine.
  package var available: Int?
  /// Whether it would have been refused.
  package var isForced: Bool

  package enum CodingKeys: String, CodingKey {
    case need
    case available = "available_bytes"
    case isForced = "forced"
  }
}
