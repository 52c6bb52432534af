import Inference
import JSON
import Kernels
import ModelLibrary

/// `pipit doctor`: looks at all that Pipit depends on, one check after another; a fault in one does not
/// keep the others from being made.
struct Doctor {
  let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() async throws -> ExitCode {
    try invocation.refuseArguments(after: 0)
    let console = invocation.console
    let isText = invocation.options.form != .json
    var checks: [DoctorCheck] = []
    func add(_ found: [DoctorCheck]) throws {
      if isText { for check in found { try console.write(DoctorWords.line(check)) } }
      checks += found
    }
    console.showMeter(DoctorWords.measuring)
    try add(processor())
    try add(memory())
    try add(directories())
    try add(libraries())
    try add([defaultModel()])
    console.showMeter(DoctorWords.checkingItself)
    try add(await bundledModel())
    let faults = checks.count { $0.state == .fault }
    if isText {
      try console.write(DoctorWords.summary(faults: faults))
    } else {
      let object: JSONValue = [
        "version": .string(Version.number), "faults": .integer(faults),
        "checks": .array(checks.map(\.json)),
      ]
      try console.write(object.text + "\n")
    }
    return faults == 0 ? .done : .failed
  }
}
