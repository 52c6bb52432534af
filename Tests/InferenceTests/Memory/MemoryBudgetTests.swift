import Inference
import Testing

@Suite struct MemoryBudgetTests {
  /// Bonsai 8B at one bit: 36 layers, 8 key heads of 128, float16.
  static let bonsai8B = MemoryPlan(
    fixed: MemoryNeed(
      anonymousWeights: 1_170_000_000, preparation: 60_000_000, scratch: 50_000_000,
      tokenizer: 30_000_000, binary: 20_000_000),
    layers: [.init(count: 36, bytesPerBlock: 64 * 8 * 128 * 2 * 2)])
  /// 9.4 MB for each 64 tokens.
  static let blockBytes = 36 * 64 * 8 * 128 * 4

  private func budget(_ memory: MachineMemory, isForced: Bool = false) -> MemoryBudget {
    MemoryBudget(isForced: isForced, machine: { memory })
  }

  private func refusal(
    _ budget: MemoryBudget, _ plan: MemoryPlan = bonsai8B, positions: Int
  ) -> MemoryShortage? {
    do {
      try budget.admit(plan, positions: positions)
      return nil
    } catch {
      guard case .memory(let shortage) = error else { return nil }
      return shortage
    }
  }

  @Test func needIsTheSumOfItsParts() {
    let need = Self.bonsai8B.need(positions: 65)
    #expect(need.keyValue == 2 * Self.blockBytes)
    #expect(need.total == 1_270_000_000 + need.keyValue)
    // Preparing and running do not overlap.
    #expect(Self.bonsai8B.need(positions: 0).total == 1_280_000_000)
    #expect(Self.bonsai8B.need(positions: 0).keyValue == 0)
  }

  @Test func windowsBoundTheCache() {
    let plan = MemoryPlan(
      fixed: MemoryNeed(),
      layers: [
        .init(count: 5, bytesPerBlock: 1000, longest: 640), .init(count: 1, bytesPerBlock: 1000),
      ])
    #expect(plan.need(positions: 320).keyValue == 30_000)
    #expect(plan.need(positions: 6400).keyValue == 150_000)
  }

  @Test func absurdNumbersDoNotOverflow() {
    let plan = MemoryPlan(
      fixed: MemoryNeed(mappedWeights: .max, anonymousWeights: .max, scratch: -5),
      layers: [.init(count: .max, bytesPerBlock: .max)])
    #expect(plan.need(positions: .max).total == .max)
    #expect(refusal(budget(MachineMemory(capacity: 1, free: 1)), plan, positions: .max) != nil)
    #expect(
      FitVerdict(
        plan, positions: .max, modelLength: .max, on: MachineMemory(capacity: 9, free: 9))
        == .tooLarge)
  }

  /// Spec sheets count in gibibytes and firmware takes its share, so memory is slightly under it.
  @Test(
    "Machines of 4 to 24 GB",
    arguments: [
      (3_820_000_000, 2_900_000_000, 8192, 8192), (3_820_000_000, 1_700_000_000, 8192, 2240),
      (3_820_000_000, 1_300_000_000, 8192, 0), (7_700_000_000, 6_000_000_000, 32768, 30720),
      (11_600_000_000, 9_900_000_000, 65536, 56512),
      (15_500_000_000, 13_500_000_000, 65536, 65536),
      (23_600_000_000, 21_000_000_000, 65536, 65536),
    ])
  func machines(total: Int, free: Int, asked: Int, largest: Int) throws {
    let budget = budget(MachineMemory(capacity: total, free: free))
    let found = budget.largestContext(Self.bonsai8B, atMost: asked)
    #expect(found ?? 0 == largest)
    if largest == asked {
      #expect(refusal(budget, positions: asked) == nil)
    } else {
      let shortage = try #require(refusal(budget, positions: asked))
      #expect(shortage.largestContext == found)
      #expect(shortage.needed == Self.bonsai8B.need(positions: asked).total)
      #expect(
        shortage.available == free
          - MemorySlack.bytes(of: .init(.machine, capacity: total, free: free)))
    }
    if largest > 0 {
      // The largest is admitted, one block more is not.
      #expect(self.refusal(budget, positions: largest) == nil)
      if largest < asked { #expect(self.refusal(budget, positions: largest + 64) != nil) }
    }
  }

  @Test("Exactly at the limit", arguments: [-1, 0, 1])
  func atTheLimit(spare: Int) {
    let need = Self.bonsai8B.need(positions: 4096).total
    // The slack of such a group is 256 MB.
    let limit = MemoryLimit(
      .controlGroup, capacity: 100 * gigabyte, free: need + 256_000_000 + spare)
    let budget = budget(
      MachineMemory(limits: [.init(.machine, capacity: 99 * gigabyte, free: 90 * gigabyte), limit]))
    #expect((refusal(budget, positions: 4096) == nil) == (spare >= 0))
  }

  @Test func forcedIsAdmittedAndSaysSo() throws {
    let memory = MachineMemory(capacity: gigabyte, free: gigabyte)
    let admission = try budget(memory, isForced: true).admit(Self.bonsai8B, positions: 4096)
    #expect(admission.isForced)
    #expect(admission.available == gigabyte - 64_000_000)
    let roomy = MachineMemory(capacity: 64 * gigabyte, free: 60 * gigabyte)
    #expect(try !budget(roomy, isForced: true).admit(Self.bonsai8B, positions: 4096).isForced)
  }

  @Test func unknownMachineAdmits() throws {
    let budget = budget(MachineMemory(limits: []))
    #expect(try budget.admit(Self.bonsai8B, positions: 65536).available == nil)
    #expect(budget.largestContext(Self.bonsai8B, atMost: 65536) == 65536)
    #expect(
      FitVerdict(
        Self.bonsai8B, positions: 4096, modelLength: 65536, on: MachineMemory(limits: []))
        == .unknown)
  }

  @Test func whatIsHeldIsNotPaidTwice() throws {
    // The model is loaded: of 4 GB, 1.22 are its own and the rest must do for the cache.
    let plan = Self.bonsai8B
    let held = HeldMemory(anonymous: 1_220_000_000)
    let free = plan.need(positions: 8192).total - held.anonymous + 100_000_000
    let budget = budget(MachineMemory(capacity: 4 * gigabyte, free: free))
    #expect(throws: MemoryRefusal.self) { try budget.admit(plan, positions: 8192) }
    try budget.admit(plan, positions: 8192, held: held)
    #expect(throws: MemoryRefusal.self) {
      try budget.admit(plan, positions: 8192 + 64, held: held)
    }
  }

  @Test func mappedPagesThatAreResident() {
    // 1 GB of mapped weights, all of it resident; the machine counts such pages as available, a
    // control group counts the active ones as taken.
    let plan = MemoryPlan(fixed: MemoryNeed(mappedWeights: gigabyte), layers: [])
    let held = HeldMemory(mapped: gigabyte)
    func fits(_ limit: MemoryLimit) -> Bool {
      let budget = budget(MachineMemory(limits: [limit]))
      return (try? budget.admit(plan, positions: 0, held: held)) != nil
    }
    #expect(!fits(.init(.machine, capacity: 2 * gigabyte, free: gigabyte / 2)))
    #expect(fits(.init(.machine, capacity: 2 * gigabyte, free: gigabyte + 64_000_000)))
    #expect(!fits(.init(.controlGroup, capacity: gigabyte, free: gigabyte / 10)))
    #expect(
      fits(
        .init(
          .controlGroup, capacity: gigabyte, free: gigabyte / 10, activeFilePages: gigabyte)))
    // Mapped files take address space but no data.
    #expect(fits(.init(.addressSpace, capacity: gigabyte, free: 128_000_000)))
    #expect(fits(.init(.data, capacity: gigabyte, free: 0)))
  }

  @Test func refusalNamesASmallerModel() throws {
    var budget = budget(MachineMemory(capacity: gigabyte, free: gigabyte))
    budget.smallerModel = { available, weights in
      available > 500_000_000 && weights == 1_170_000_000 ? "smollm2-135m" : nil
    }
    let shortage = try #require(refusal(budget, positions: 4096))
    #expect(shortage.smallerModel == "smollm2-135m")
    #expect(
      shortage.description == """
        This takes 1.87 GB with a context of 4,096 tokens, but 936 MB is available (bounded by \
        the machine's memory); the smaller model smollm2-135m fits; --force tries anyway.
        """)
  }

  @Test func refusalNamesTheGroupAndTheLargestContext() throws {
    var machine = InventedMachine(total: 24 * gibibyte, available: 20 * gibibyte)
    machine.enterVersion2("/a")
    machine.limit("/sys/fs/cgroup/a", max: "2000000000", current: 200_000_000)
    let shortage = try #require(refusal(budget(machine.memory), positions: 8192))
    #expect(
      shortage.description == """
        This takes 2.48 GB with a context of 8,192 tokens, but 1.75 GB is available (bounded by \
        the limit of the control group /sys/fs/cgroup/a); a context of 3,200 tokens fits \
        (-c 3200); --force tries anyway.
        """)
  }

  @Test func redLine() {
    let calm = MemoryLimit(.machine, capacity: 8 * gigabyte, free: 150_000_000)
    let short = MemoryLimit(.controlGroup, capacity: 4 * gigabyte, free: 40_000_000)
    #expect(budget(MachineMemory(limits: [calm])).crossedRedLine() == nil)
    #expect(budget(MachineMemory(limits: [calm, short])).crossedRedLine() == short)
    #expect(budget(MachineMemory(limits: [])).crossedRedLine() == nil)
  }
}
