import Foundation
import JSON
import Kernels
import Testing

/// `pipit doctor`: what it finds and what it says about it.
///
/// One at a time: each loads a model, and a run that others starve is given up after a minute.
@Suite(.serialized) struct DoctorTests {
  private static let name = "pipit-180m-1bit"
  private static let tree = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Catalog/bundled/\(name)").standardized.path

  /// A home with the model that comes with the program, or a copy of it to damage.
  private func makeBinary(copying: Bool = false) throws -> BuiltBinary {
    let binary = try BuiltBinary()
    let folder = binary.home + "/bundled"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if copying {
      try FileManager.default.copyItem(atPath: Self.tree, toPath: folder + "/" + Self.name)
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + Self.name, withDestinationPath: Self.tree)
    }
    return binary
  }

  private func checks(
    _ binary: BuiltBinary, _ environment: [String: String] = [:], code: Int32
  ) throws -> [JSONValue] {
    let outcome = try binary.run("doctor", "--json", environment: environment)
    #expect(outcome.code == code, "\(outcome.outputText) \(outcome.errorText)")
    let report = try JSONReader.read(Array(outcome.output))
    let checks = report["checks"]?.arrayValue ?? []
    #expect(
      report["faults"]?.intValue == checks.count { $0["state"]?.stringValue == "fault" })
    for check in checks where check["state"]?.stringValue == "fault" {
      #expect(check["remedy"]?.stringValue != nil, "\(check.text)")
    }
    return checks
  }

  private func named(_ name: String, _ checks: [JSONValue]) -> [JSONValue] {
    checks.filter { $0["check"]?.stringValue == name }
  }

  /// A disk of 64 kB, where the system lets one be made.
  @Test func aFullDiskIsAFault() throws {
    let binary = try makeBinary()
    let outcome = try binary.shell(
      """
      mkdir "$HOME/conversations"
      exec unshare --user --map-root-user --mount sh -c '
        mount -t tmpfs -o size=64k none "$HOME/conversations" || exit 77
        exec "$PIPIT" doctor'
      """)
    if outcome.code == 77 || outcome.outputText.isEmpty { return }
    #expect(outcome.code == 1)
    #expect(outcome.outputText.contains("FAULT   folder: conversations, "))
    #expect(outcome.outputText.contains("nothing more is kept there: free some"))
    #expect(outcome.outputText.hasSuffix("1 fault.\n"))
  }

  @Test func allIsWell() throws {
    let binary = try makeBinary()
    let outcome = try binary.run("doctor")
    #expect(outcome.code == 0, "\(outcome.outputText)")
    #expect(outcome.outputText.hasSuffix("All is well.\n"))
    #expect(outcome.outputText.contains("self-check: 10 tokens and their logits are right"))
    #expect(!outcome.outputText.contains("FAULT"))
    // It leaves nothing behind but what every run does.
    #expect(!FileManager.default.fileExists(atPath: binary.home + "/models"))

    let checks = try checks(binary, code: 0)
    let kinds = checks.compactMap { $0["check"]?.stringValue }
    for kind in [
      "processor", "threads", "memory", "folder", "configuration", "library", "default model",
      "bundled model", "self-check",
    ] { #expect(kinds.contains(kind), "\(kind)") }
    #expect(named("library", checks).count == 3)
    #expect(named("threads", checks).first?["threads"]?.intValue.map { $0 >= 1 } == true)
    #expect(named("default model", checks).first?["model"]?.stringValue == Self.name)
  }

  /// The same sums by every set of kernels that this processor runs.
  @Test(arguments: InstructionSet.allCases.filter(\.isSupported))
  func sumsAgree(_ set: InstructionSet) throws {
    let checks = try checks(try makeBinary(), ["PIPIT_ISA": set.rawValue], code: 0)
    #expect(named("processor", checks).first?["chosen"]?.stringValue == set.rawValue)
    let check = try #require(named("self-check", checks).first)
    #expect(check["state"]?.stringValue == "ok")
    #expect(check["logits_xxh64"]?.stringValue == "f0e5a1fcd5165ba5")
    #expect(check["one_by_one_logits_xxh64"]?.stringValue == "f0e5a1fcd5165ba5")
    #expect(check["tokens"]?.arrayValue?.count == 10)
    let state = named("processor", checks).first?["state"]?.stringValue
    #expect(state == (set == .best ? "ok" : "notice"))
  }

  @Test func anInstructionSetThatIsNone() throws {
    let checks = try checks(try makeBinary(), ["PIPIT_ISA": "mmx"], code: 1)
    let processor = try #require(named("processor", checks).first)
    #expect(processor["state"]?.stringValue == "fault")
    #expect(processor["finding"]?.stringValue?.contains("mmx") == true)
    #expect(processor["remedy"]?.stringValue == "Take PIPIT_ISA out of the environment.")
  }

  @Test func brokenFolders() throws {
    let binary = try makeBinary()
    try Data("x".utf8).write(to: URL(filePath: binary.home + "/models"))
    try Data("x".utf8).write(to: URL(filePath: binary.home + "/conversations"))
    try Data("{".utf8).write(to: URL(filePath: binary.home + "/config.json"))
    let checks = try checks(binary, code: 1)
    let faults = checks.filter { $0["state"]?.stringValue == "fault" }
    #expect(
      faults.compactMap { $0["folder"]?.stringValue } == ["models", "conversations"])
    #expect(
      faults.first?["remedy"]?.stringValue?.contains(binary.home + "/models") == true)
    #expect(named("configuration", faults).count == 1)
    // The other checks are made all the same.
    #expect(named("self-check", checks).first?["state"]?.stringValue == "ok")
  }

  @Test func aDamagedModel() throws {
    let binary = try makeBinary(copying: true)
    let path = binary.home + "/bundled/\(Self.name)/model.safetensors"
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 30_000_000)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
    try file.close()
    let outcome = try binary.run("doctor")
    #expect(outcome.code == 1)
    #expect(
      outcome.outputText.contains("FAULT   bundled model: model.safetensors in"),
      "\(outcome.outputText)")
    #expect(outcome.outputText.contains("Scripts/quickstart puts it there."))
    #expect(outcome.outputText.hasSuffix("1 fault.\n"))
  }

  @Test func nothingToAnswerWith() throws {
    let checks = try checks(try BuiltBinary(), code: 1)
    let model = try #require(named("default model", checks).first)
    #expect(model["state"]?.stringValue == "fault")
    #expect(model["remedy"]?.stringValue == "Get one: pipit models pull smollm2-135m")
    #expect(named("bundled model", checks).first?["state"]?.stringValue == "notice")
  }

  @Test func aDefaultThatIsNoModel() throws {
    let binary = try makeBinary()
    try binary.install("broken")
    let checks = try checks(binary, code: 1)
    let model = try #require(named("default model", checks).first)
    #expect(model["state"]?.stringValue == "fault")
    #expect(model["remedy"]?.stringValue?.contains("pipit models verify broken") == true)
  }
}
