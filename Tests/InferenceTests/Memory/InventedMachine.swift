import Inference

/// A Linux machine made of the files a process would read.
struct InventedMachine {
  var files: [String: String] = [
    "/proc/self/limits": """
    Limit                     Soft Limit           Hard Limit           Units
    Max cpu time              unlimited            unlimited            seconds
    Max data size             unlimited            unlimited            bytes
    Max address space         unlimited            unlimited            bytes
    """,
    "/proc/self/status": """
    Name:\tpipit
    VmPeak:\t  400000 kB
    VmSize:\t  300000 kB
    VmHWM:\t  120000 kB
    VmRSS:\t  110000 kB
    RssAnon:\t   90000 kB
    RssFile:\t   20000 kB
    VmData:\t  200000 kB
    """,
    "/proc/self/smaps_rollup": """
    5602f8eb4000-7ffd5865c000 ---p 00000000 00:00 0                          [rollup]
    Rss:              110000 kB
    Pss:               95000 kB
    """,
  ]

  init(total: Int, available: Int) {
    files["/proc/meminfo"] = """
      MemTotal:       \(total / 1024) kB
      MemFree:        \(available / 4096) kB
      MemAvailable:   \(available / 1024) kB
      Inactive(file): \(available / 2048) kB
      SwapTotal:      2097148 kB
      SwapFree:       1048576 kB
      """
  }

  /// Puts the process into a version 2 group; `mountRoot` is the part that is mounted.
  mutating func enterVersion2(
    _ path: String, mountRoot: String = "/", mountPoint: String = "/sys/fs/cgroup"
  ) {
    files["/proc/self/cgroup"] = "0::\(path)\n"
    files["/proc/self/mountinfo"] = """
      22 27 0:21 / /proc rw,relatime - proc proc rw
      30 23 0:26 \(mountRoot) \(mountPoint) rw,nosuid shared:4 master:2 - cgroup2 cgroup2 rw,nsdelegate
      """
  }

  /// Puts the process into a version 1 memory group.
  mutating func enterVersion1(_ path: String, mountRoot: String = "/") {
    files["/proc/self/cgroup"] = """
      11:cpu,cpuacct:/elsewhere
      4:memory:\(path)
      1:name=systemd:/
      0::/
      """
    files["/proc/self/mountinfo"] = """
      31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
      33 31 0:30 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct
      35 31 0:32 \(mountRoot) /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
      41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
      """
  }

  /// Gives a version 2 folder a limit.
  mutating func limit(
    _ folder: String, max: String, current: Int, inactive: Int = 0, active: Int = 0,
    mapped: Int? = nil
  ) {
    files[folder + "/memory.max"] = max + "\n"
    files[folder + "/memory.current"] = "\(current)\n"
    files[folder + "/memory.stat"] = """
      anon \(current - inactive - active)
      file \(inactive + active)
      inactive_file \(inactive)
      active_file \(active)
      \(mapped.map { "file_mapped \($0)" } ?? "file_dirty 0")
      """
  }

  /// Gives a version 1 folder a limit.
  mutating func limitVersion1(
    _ folder: String, bytes: String, usage: Int, inactive: Int, active: Int = 8192,
    mapped: Int = 8192
  ) {
    files[folder + "/memory.limit_in_bytes"] = bytes + "\n"
    files[folder + "/memory.usage_in_bytes"] = "\(usage)\n"
    files[folder + "/memory.stat"] = """
      cache \(inactive * 2)
      inactive_file 4096
      total_inactive_file \(inactive)
      mapped_file 4096
      total_active_file \(active)
      total_mapped_file \(mapped)
      """
  }

  var systemFiles: SystemFiles { .invented(files) }
  var memory: MachineMemory { .linux(systemFiles) }
}

let gigabyte = 1_000_000_000
let gibibyte = 1 << 30
