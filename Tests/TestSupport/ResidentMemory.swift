import FoundationEssentials

/// The process's memory, as Linux tells it.
package enum ResidentMemory {
  /// The most that was ever resident, in bytes; nil where /proc does not say.
  package static var peak: Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    let digits = line.filter(\.isNumber)
    return Int(digits).map { $0 * 1024 }
  }
}
