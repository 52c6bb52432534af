import Foundation
import Inference
import Testing

@Suite struct MachineMemoryTests {
  @Test func plainMachine() throws {
    let memory = InventedMachine(total: 8 * gibibyte, available: 6 * gibibyte).memory
    #expect(
      memory.limits == [MemoryLimit(.machine, capacity: 8 * gibibyte, free: 6 * gibibyte)])
    #expect(memory.available == 6 * gibibyte - 8 * gibibyte / 40)
    #expect(memory.freeSwap == gibibyte)
  }

  #if os(Linux)
    /// Files of /proc have no size, and reads of them end early.
    @Test func longFilesOfTheSystemAreReadToTheirEnd() throws {
      let text = try #require(SystemFiles.live.text("/proc/self/smaps"))
      let lines = text.split(separator: "\n")
      #expect(text.utf8.count > 1 << 14)
      #expect(lines.contains { $0.hasSuffix("[stack]") })
      #expect(lines.last?.hasPrefix("VmFlags:") == true)
      #expect(SystemFiles.live.text("/proc/self/nothing") == nil)
      #expect(SystemFiles.live.text("/proc/self/fdinfo") == nil)
    }
  #endif

  @Test func swapIsNotCounted() {
    var machine = InventedMachine(total: 4 * gibibyte, available: gibibyte)
    let before = machine.memory.available
    machine.files["/proc/meminfo"]?.append("\nSwapFree:  99999999 kB")
    #expect(machine.memory.available == before)
  }

  @Test func oldKernelWithoutMemAvailable() {
    var machine = InventedMachine(total: 4 * gibibyte, available: gibibyte)
    machine.files["/proc/meminfo"] = "MemTotal: 4194304 kB\nMemFree: 1000 kB\nInactive(file): 24 kB"
    #expect(machine.memory.limits.first?.free == 1024 * 1024)
  }

  @Test func nothingKnown() {
    let memory = MachineMemory.linux(.invented([:]))
    #expect(memory.limits.isEmpty)
    #expect(memory.available == nil)
  }

  @Test("The tightest group counts, whichever level it is at", arguments: 0..<3)
  func nestedGroups(level: Int) throws {
    var machine = InventedMachine(total: 24 * gibibyte, available: 20 * gibibyte)
    machine.enterVersion2("/user.slice/app.slice/pipit.scope")
    let folders = ["/user.slice", "/user.slice/app.slice", "/user.slice/app.slice/pipit.scope"]
      .map { "/sys/fs/cgroup" + $0 }
    for (index, folder) in folders.enumerated() {
      let max = index == level ? "\(4 * gibibyte)" : index == 0 ? "max" : "\(16 * gibibyte)"
      machine.limit(folder, max: max, current: gibibyte)
    }
    let tightest = try #require(machine.memory.tightest)
    #expect(tightest.place == folders[level])
    #expect(tightest.free == 3 * gibibyte)
    #expect(tightest.available == 3 * gibibyte - 4 * gibibyte / 40)
  }

  @Test func maxIsNoLimit() {
    var machine = InventedMachine(total: 8 * gibibyte, available: 6 * gibibyte)
    machine.enterVersion2("/a")
    machine.limit("/sys/fs/cgroup/a", max: "max", current: gibibyte)
    #expect(machine.memory.limits.map(\.kind) == [.machine])
  }

  @Test func containerFullOfPageCacheIsNotFull() throws {
    var machine = InventedMachine(total: 24 * gibibyte, available: 20 * gibibyte)
    machine.enterVersion2("/", mountRoot: "/")
    machine.limit(
      "/sys/fs/cgroup", max: "\(8 * gibibyte)", current: 8 * gibibyte - 4096,
      inactive: 6 * gibibyte, active: gibibyte)
    let tightest = try #require(machine.memory.tightest)
    #expect(tightest.free == 6 * gibibyte + 4096)
    #expect(tightest.activeFilePages == gibibyte)
  }

  /// A file that is read twice has active pages; what nobody maps goes all the same.
  @Test(arguments: [0, 1, 4, 9]) func filesThatWereReadTwiceDoNotFillIt(mapped: Int) throws {
    var machine = InventedMachine(total: 24 * gibibyte, available: 20 * gibibyte)
    machine.enterVersion2("/")
    machine.limit(
      "/sys/fs/cgroup", max: "\(8 * gibibyte)", current: 8 * gibibyte, inactive: gibibyte,
      active: 6 * gibibyte, mapped: mapped * gibibyte)
    let inUse = min(mapped, 6)
    let second = try #require(machine.memory.tightest)
    #expect(second.free == (7 - inUse) * gibibyte)
    #expect(second.activeFilePages == inUse * gibibyte)

    machine.enterVersion1("/a")
    machine.limitVersion1(
      "/sys/fs/cgroup/memory/a", bytes: "\(8 * gibibyte)", usage: 8 * gibibyte,
      inactive: gibibyte, active: 6 * gibibyte, mapped: mapped * gibibyte)
    #expect(machine.memory.tightest?.free == (7 - inUse) * gibibyte)
  }

  @Test func containerThatSeesOnlyItsOwnGroup() throws {
    var machine = InventedMachine(total: 24 * gibibyte, available: 20 * gibibyte)
    // The path is the host's, the mount shows the container's part.
    machine.enterVersion2("/docker/abc/inner", mountRoot: "/docker/abc")
    machine.limit("/sys/fs/cgroup", max: "\(2 * gibibyte)", current: gibibyte)
    machine.limit("/sys/fs/cgroup/inner", max: "\(gibibyte)", current: 0)
    #expect(
      machine.memory.limits.dropFirst().map(\.place)
        == ["/sys/fs/cgroup/inner", "/sys/fs/cgroup"])
    // A name that merely begins like the mounted part is outside of it.
    machine.enterVersion2("/docker/abcdef", mountRoot: "/docker/abc")
    #expect(machine.memory.limits.dropFirst().map(\.place) == ["/sys/fs/cgroup"])
    // So is a path that leads out of the namespace.
    machine.enterVersion2("/../../other", mountRoot: "/")
    #expect(machine.memory.limits.dropFirst().map(\.place) == ["/sys/fs/cgroup"])
  }

  @Test func mountPointWithSpace() {
    var machine = InventedMachine(total: 8 * gibibyte, available: 6 * gibibyte)
    machine.enterVersion2("/a:b", mountPoint: "/mnt/control\\040groups")
    machine.limit("/mnt/control groups/a:b", max: "\(gibibyte)", current: 0)
    #expect(machine.memory.tightest?.place == "/mnt/control groups/a:b")
  }

  @Test func version1() throws {
    var machine = InventedMachine(total: 24 * gibibyte, available: 20 * gibibyte)
    machine.enterVersion1("/outer/inner")
    machine.limitVersion1(
      "/sys/fs/cgroup/memory/outer", bytes: "\(4 * gibibyte)", usage: 3 * gibibyte,
      inactive: gibibyte)
    machine.limitVersion1(
      "/sys/fs/cgroup/memory/outer/inner", bytes: "9223372036854771712", usage: gibibyte,
      inactive: 0)
    machine.limitVersion1(
      "/sys/fs/cgroup/memory", bytes: "18446744073709551615", usage: gibibyte, inactive: 0)
    let memory = machine.memory
    #expect(memory.limits.count == 2)
    #expect(memory.tightest?.place == "/sys/fs/cgroup/memory/outer")
    #expect(memory.tightest?.free == 2 * gibibyte)
  }

  @Test func usageAboveTheLimit() {
    var machine = InventedMachine(total: 8 * gibibyte, available: 6 * gibibyte)
    machine.enterVersion2("/a")
    machine.limit("/sys/fs/cgroup/a", max: "0", current: gibibyte)
    #expect(machine.memory.available == 0)
  }

  @Test func resourceLimits() throws {
    var machine = InventedMachine(total: 24 * gibibyte, available: 20 * gibibyte)
    machine.files["/proc/self/limits"] = """
      Max data size             1000000000           unlimited            bytes
      Max address space         900000000            unlimited            bytes
      """
    let limits = Array(machine.memory.limits.dropFirst())
    #expect(limits.map(\.kind) == [.addressSpace, .data])
    #expect(limits.map(\.free) == [900_000_000 - 300_000 * 1024, 1_000_000_000 - 200_000 * 1024])
  }

  @Test(arguments: [
    "", "garbage", "0::", "x:y", ":::", "4:memory:/a\n4:memory", "0::/a/../../b",
  ])
  func damagedFilesAreNoTrap(text: String) {
    var machine = InventedMachine(total: 8 * gibibyte, available: 6 * gibibyte)
    machine.enterVersion2("/a")
    for path in ["/proc/self/cgroup", "/proc/self/mountinfo", "/proc/self/limits"] {
      var damaged = machine
      damaged.files[path] = text
      #expect(damaged.memory.limits.first?.kind == .machine)
    }
    machine.files["/proc/meminfo"] = "MemAvailable: 99999999999999999999 kB\nMemAvailable:"
    #expect(machine.memory.limits.isEmpty)
    machine.files["/proc/meminfo"] = "MemAvailable: 9223372036854775807 kB"
    #expect(machine.memory.limits.first?.free == .max)
  }

  #if os(Linux)
    @Test func thisMachine() throws {
      let memory = MachineMemory.probe()
      let available = try #require(memory.available)
      #expect(available > 0)
      #expect(memory.limits.contains { $0.kind == .machine })
      let footprint = Footprint.probe()
      #expect(footprint.named.count == 4)
      #expect(try #require(footprint.peakResident) >= #require(footprint.anonymous))
    }
  #endif

  @Test func footprintOfAnInventedProcess() {
    let machine = InventedMachine(total: gibibyte, available: gibibyte)
    #expect(
      Footprint.probe(machine.systemFiles)
        == Footprint(
          peakResident: 120_000 * 1024, anonymous: 90_000 * 1024, fileBacked: 20_000 * 1024,
          proportional: 95_000 * 1024))
  }
}
