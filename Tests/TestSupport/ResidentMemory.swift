import FoundationEssentials

/// The process's memory, as Linux tells it.
package enum ResidentMemory {
  /// The most that was ever resident, in bytes; nil where /proc does not say.
  package static var peak: Int? { status("VmHWM:") }

  /// The most address space that there ever was, in bytes: also what was allocated and not touched.
  package static var addressPeak: Int? { status("VmPeak:") }

  private static func status(_ key: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) })
    else { return nil }
    let digits = line.filter(\.isNumber)
    return Int(digits).map { $0 * 1024 }
  }
}
