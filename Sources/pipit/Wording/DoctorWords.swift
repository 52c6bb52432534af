import Inference
import JSON
import Kernels

/// What `pipit doctor` says.
enum DoctorWords {
  static let measuring = "Measuring…"
  static let checkingItself = "Ten tokens of the bundled model…"

  // MARK: The page

  static func line(_ check: DoctorCheck) -> String {
    let mark =
      switch check.state {
      case .sound: "ok    "
      case .notice: "note  "
      case .fault: "FAULT "
      }
    // Names of models and folders may hold what a terminal would obey.
    let remedy = check.remedy.map { "        \($0.displayable())\n" } ?? ""
    return "\(mark)  \(check.name): \(check.finding.displayable())\n\(remedy)"
  }

  static func summary(faults: Int) -> String {
    switch faults {
    case 0: "All is well.\n"
    case 1: "1 fault.\n"
    default: "\(faults) faults.\n"
    }
  }

  // MARK: The machine

  static func processor(_ name: String, _ chosen: InstructionSet, _ all: [InstructionSet]) -> String
  {
    let others = all.filter { $0 != chosen }.map(\.rawValue)
    let also = others.isEmpty ? "" : " (it also runs \(others.joined(separator: ", ")))"
    return "\(name.isEmpty ? "unknown" : name); kernels for \(chosen.rawValue)\(also)"
  }

  static let unsetInstructionSet = "Take PIPIT_ISA out of the environment."

  static func slowerSet(best: InstructionSet) -> String {
    "PIPIT_ISA asks for it; without it \(best.rawValue) would be used, which is faster."
  }

  static func threads(_ limits: ThreadLimits, asked: Int?) -> String {
    var reasons = ["\(limits.allowed) processors allowed"]
    if let cores = limits.cores { reasons.append("\(cores) physical cores") }
    reasons.append(limits.quota.map { "a quota of \($0)" } ?? "no quota")
    let why = asked == nil ? "" : "as asked; "
    return "\(asked ?? limits.count) (\(why)\(reasons.joined(separator: ", ")))"
  }

  static func bandwidth(_ speed: Double) -> String {
    "reads \(Figures.bytes(Int(speed))) of memory a second, which bounds how fast models answer"
  }

  static let bandwidthUnknown = "not measured: there is too little memory free"
  static let memoryUnknown = "the system does not tell how much there is"
  static let freeMemory = "Close other programs, or raise the limit."

  static func memory(_ memory: MachineMemory) -> String {
    guard let tightest = memory.tightest else { return memoryUnknown }
    let limits = memory.limits.map { "\($0): \(Figures.bytes($0.capacity))" }
    return """
      \(Figures.bytes(tightest.available)) available, bounded by \(tightest) \
      (\(limits.joined(separator: "; ")))
      """
  }

  // MARK: Folders and libraries

  static func folder(_ name: String, _ path: String, exists: Bool, free: Int?) -> String {
    let state = exists ? "takes files" : "can be made"
    return "\(name), \(path), \(state)" + (free.map { "; \(Figures.bytes($0)) free" } ?? "")
  }

  static func unusable(_ name: String, _ path: String, code: Int32) -> String {
    "\(name), \(path), takes no files: \(SystemError(code: code, operation: .write).reason)"
  }

  static func makeWritable(_ path: String) -> String {
    "Make \(path) a folder that you may write to, or set PIPIT_HOME to one."
  }

  static func diskIsFull(_ folder: String) -> String {
    "The disk of \(folder) is full, so nothing more is kept there: free some of it."
  }

  static let freeSpace = "Most models need more: free some, or set PIPIT_HOME to another disk."

  static func configuration(_ path: String, exists: Bool) -> String {
    exists ? "\(path) is sound" : "none, which is fine"
  }

  static let mendConfiguration = "Mend the file, or delete it."

  static func found(_ name: String) -> String { "\(name) is there" }

  static func missing(_ name: String, use: String) -> String {
    "\(name) is missing, which \(use) needs"
  }

  static func install(_ package: String) -> String { "Install it: apt-get install \(package)" }

  // MARK: Models

  static func noDefault(_ names: [String]) -> String {
    "none is set, and \(names.count) are installed"
  }

  static func chooseDefault(_ names: [String]) -> String {
    "Choose one: pipit models default \(names.first ?? "NAME")"
  }

  static let getModel = "Get one: pipit models pull smollm2-135m"
  static let smallerModel = "pipit fit shows models that this machine carries."

  static func defaultModel(_ name: String, _ verdict: FitVerdict) -> String {
    "\(name), \(verdict == .unknown ? "fit unknown" : verdict.badge)"
  }

  static func verify(_ name: String) -> String {
    "See what is wrong with its files: pipit models verify \(name)"
  }

  static func noBundledModel(_ folder: String) -> String {
    "not in \(folder), so nothing is checked with it"
  }

  static let putBundledModel = "Scripts/quickstart puts it there."

  static func damaged(_ names: [String], of path: String) -> String {
    "\(names.joined(separator: ", ")) in \(path) is not what came with Pipit"
  }

  static func soundFiles(_ name: String) -> String { "\(name), files as they came" }

  static func rightNumbers(_ count: Int, _ seconds: Double) -> String {
    """
    \(count) tokens and their logits are right to the bit, read at once and one by one, in \
    \(Figures.brief(seconds))
    """
  }

  static func wrongNumbers(_ found: SelfCheck.Outcome) -> String {
    if found.atOnce == SelfCheck.expected {
      return "\(wrongNumbers(found.oneByOne)); read at once they are right, so the kernels of one "
        + "token are wrong"
    }
    if found.oneByOne == SelfCheck.expected {
      return "\(wrongNumbers(found.atOnce)); read one by one they are right, so the kernels of "
        + "several tokens are wrong"
    }
    return wrongNumbers(found.atOnce)
  }

  private static func wrongNumbers(_ found: SelfCheck) -> String {
    found.tokens == SelfCheck.expected.tokens
      ? "the tokens are right, but their logits are not those of every other machine"
      : "the tokens are \(found.tokens), not \(SelfCheck.expected.tokens)"
  }

  static let reportNumbers = """
    Try PIPIT_ISA=portable pipit doctor: if that is right the kernels are to blame, which is a bug to \
    report; if not, test the machine's memory.
    """
  static let retryLater = "Free some memory and run pipit doctor again."
}
