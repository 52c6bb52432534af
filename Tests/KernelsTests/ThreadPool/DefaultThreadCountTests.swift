import Foundation
import Kernels
import Testing

/// A machine made of files.
private struct InventedMachine: ~Copyable {
  let root: String

  init(_ files: [String: String]) throws {
    root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    for (path, text) in files {
      let url = URL(filePath: root + path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }
}

@Suite struct DefaultThreadCountTests {
  private static let unified = "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"

  private func count(_ files: [String: String], _ processors: Int) throws -> Int {
    let machine = try InventedMachine(files)
    return defaultThreadCount(root: machine.root, affinity: Array(0..<processors))
  }

  @Test func withoutFilesTheAffinityCounts() throws {
    #expect(try count([:], 6) == 6)
    #expect(try count([:], 0) == 1)
    #expect(defaultThreadCount() >= 1)
  }

  @Test(arguments: [("250000 100000", 2), ("max 100000", 8), ("50000 100000", 1), ("junk", 8)])
  func theUnifiedQuotaIsRoundedDown(limit: String, expected: Int) throws {
    let files = [
      "/proc/self/mountinfo": Self.unified, "/proc/self/cgroup": "0::/user/app\n",
      "/sys/fs/cgroup/user/app/cpu.max": limit + "\n",
    ]
    #expect(try count(files, 8) == expected)
  }

  @Test func theLeastLevelOfThePathCounts() throws {
    let files = [
      "/proc/self/mountinfo": Self.unified, "/proc/self/cgroup": "0::/user/app\n",
      "/sys/fs/cgroup/user/cpu.max": "300000 100000\n",
      "/sys/fs/cgroup/user/app/cpu.max": "max 100000\n",
    ]
    #expect(try count(files, 8) == 3)
  }

  @Test func aContainerSeesItsGroupAtTheMountPoint() throws {
    let files = [
      "/proc/self/mountinfo":
        "9 2 0:2 /docker/abc /sys/fs/my\\040group ro shared:1 - cgroup cgroup rw,cpu,cpuacct\n",
      "/proc/self/cgroup": "4:cpu,cpuacct:/docker/abc\n3:memory:/docker/abc\n",
      "/sys/fs/my group/cpu.cfs_quota_us": "400000\n",
      "/sys/fs/my group/cpu.cfs_period_us": "100000\n",
    ]
    #expect(try count(files, 8) == 4)
    var unlimited = files
    unlimited["/sys/fs/my group/cpu.cfs_quota_us"] = "-1\n"
    #expect(try count(unlimited, 8) == 8)
  }

  @Test func hyperThreadsShareACore() throws {
    var files: [String: String] = [:]
    for processor in 0..<8 {
      let folder = "/sys/devices/system/cpu/cpu\(processor)/topology"
      files["\(folder)/physical_package_id"] = "\(processor / 4)\n"
      files["\(folder)/core_id"] = "\(processor % 2)\n"
    }
    #expect(try count(files, 8) == 4)
  }
}
