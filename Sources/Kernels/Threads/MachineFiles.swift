import FoundationEssentials

/// The files in which a system describes itself, below a root that a test replaces.
struct MachineFiles {
  let root: String

  func text(_ path: String) -> String? {
    try? String(contentsOfFile: root + path, encoding: .utf8)
  }
}
