import CMachine
import Glibc

/// How many threads to use: the least of the processors this process may run on, the whole
/// processors that its control groups grant, and the physical cores; at least one.
package func defaultThreadCount() -> Int { ThreadLimits.probe().count }

/// The same for a machine whose files lie below `root`.
package func defaultThreadCount(root: String, affinity: [Int]) -> Int {
  ThreadLimits(root: root, affinity: affinity).count
}

extension ThreadLimits {
  /// The limits of a machine whose files lie below `root`.
  package init(root: String, affinity: [Int]) {
    let files = MachineFiles(root: root)
    self.init(
      allowed: affinity.count,
      quota: ControlGroups(files: files).processorQuota.map { Int(max(1, min($0, 65_536))) },
      cores: physicalCores(files, among: affinity))
  }
}

/// Two hyper-threads of a core share the units that the kernels saturate.
private func physicalCores(_ files: MachineFiles, among processors: [Int]) -> Int? {
  var cores: Set<String> = []
  for processor in processors {
    let folder = "/sys/devices/system/cpu/cpu\(processor)/topology"
    guard let package = files.text("\(folder)/physical_package_id"),
      let core = files.text("\(folder)/core_id")
    else { return nil }
    cores.insert("\(package) \(core)")
  }
  return cores.count
}

/// The processors in this thread's affinity mask.
func allowedProcessors() -> [Int] {
  var words = [UInt64](repeating: 0, count: 128)
  guard unsafe pipit_affinity(&words, words.count * 8) > 0 else {
    return Array(0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
  return words.indices.flatMap { word in
    (0..<64).filter { words[word] >> UInt64($0) & 1 == 1 }.map { word * 64 + $0 }
  }
}
