import FoundationEssentials

/// The memory of a machine as one process sees it, in bytes.
package struct MachineMemory: Sendable, Hashable, Codable {
  /// Every limit that is known, the machine's own first.
  package var limits: [MemoryLimit]
  /// Free swap: stated, never counted, because weights that are swapped are read at disk speed.
  package var freeSwap: Int?

  package init(limits: [MemoryLimit], freeSwap: Int? = nil) {
    self.limits = limits
    self.freeSwap = freeSwap
  }

  /// A machine with nothing else to heed.
  package init(capacity: Int, free: Int) {
    self.init(limits: [MemoryLimit(.machine, capacity: capacity, free: free)])
  }

  /// The limit that is met first; nil when none is known.
  package var tightest: MemoryLimit? {
    limits.min { $0.available < $1.available }
  }

  /// What can be counted on; nil when no limit is known.
  package var available: Int? { tightest?.available }

  package enum CodingKeys: String, CodingKey {
    case limits
    case freeSwap = "free_swap_bytes"
  }
}

extension MachineMemory {
  /// This machine now.
  ///
  /// Reads a dozen small files: some tenths of a millisecond, so what asks again and again asks
  /// at intervals of time, not at every token.
  package static func probe(_ files: SystemFiles = .live) -> MachineMemory {
    #if os(macOS)
      // What is inactive or compressed can hardly be told from outside; the system and a browser
      // take some 3 GB.
      let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
      return MachineMemory(capacity: physical, free: physical - 3_000_000_000)
    #else
      linux(files)
    #endif
  }

  /// A Linux machine by its files.
  package static func linux(_ files: SystemFiles) -> MachineMemory {
    var limits: [MemoryLimit] = []
    let memory = files.text("/proc/meminfo") ?? ""
    if let free = freeMemory(memory) {
      let total = SystemFiles.number("MemTotal", in: memory) ?? free
      limits.append(MemoryLimit(.machine, capacity: total, free: free))
    }
    limits += ControlGroups(files).limits()
    limits += resourceLimits(files)
    return MachineMemory(limits: limits, freeSwap: SystemFiles.number("SwapFree", in: memory))
  }

  /// MemAvailable, or for a kernel without it what that mostly is.
  private static func freeMemory(_ text: String) -> Int? {
    if let available = SystemFiles.number("MemAvailable", in: text) { return available }
    guard let free = SystemFiles.number("MemFree", in: text) else { return nil }
    return free.added(clamping: SystemFiles.number("Inactive(file)", in: text) ?? 0)
  }

  private static func resourceLimits(_ files: SystemFiles) -> [MemoryLimit] {
    guard let limits = files.text("/proc/self/limits"),
      let status = files.text("/proc/self/status")
    else { return [] }
    let kinds: [(MemoryLimit.Kind, String, String)] = [
      (.addressSpace, "Max address space", "VmSize"), (.data, "Max data size", "VmData"),
    ]
    return kinds.compactMap { kind, name, usage in
      guard let line = limits.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
        let soft = line.dropFirst(name.count).split(separator: " ").first,
        // "unlimited" is no number.
        let capacity = Int(soft), let used = SystemFiles.number(usage, in: status)
      else { return nil }
      return MemoryLimit(kind, capacity: capacity, free: capacity - min(used, capacity))
    }
  }
}
