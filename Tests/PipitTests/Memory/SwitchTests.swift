import Foundation
import TestSupport
import Testing

/// The memory of changing models, with the built binary.
@Suite(.serialized, .enabled(if: TestModels.smolLM2 != nil)) struct SwitchTests {
  /// The most that a process was ever resident, in bytes, while it runs.
  private func peak(_ child: Child) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(child.processID)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
  }

  /// A chat with a model, and one question answered by it.
  private func start(_ binary: BuiltBinary) throws -> Child {
    let child = try binary.start(
      ["chat", "-m", "one", "-n", "4", "-c", "512", "--temperature", "0"])
    child.sendLine("hi")
    _ = child.waitForOutput("\n")
    return child
  }

  private func makeBinary() throws -> BuiltBinary {
    let binary = try BuiltBinary()
    let model = try #require(TestModels.smolLM2)
    for name in ["one", "two"] {
      let folder = binary.home + "/models/" + name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name).gguf", withDestinationPath: model)
    }
    try binary.install("broken")
    return binary
  }

  @Test func theOldModelIsGoneBeforeTheNewOneComes() throws {
    // Its home goes with it.
    let binary = try makeBinary()
    defer { withExtendedLifetime(binary) {} }
    let child = try start(binary)
    let before = try peak(child)
    for name in ["two", "one", "two"] {
      child.sendLine("/model \(name)")
      // What a longer conversation takes is not the change's.
      child.sendLine("/new")
      child.sendLine("hi")
      _ = child.waitForOutput("\n")
    }
    let after = try peak(child)
    print("peak with one model \(before / 1000) kB, after three changes \(after / 1000) kB")
    #expect(after <= before / 20 * 21)
    child.closeInput()
    #expect(child.finish().code == 0)
  }

  @Test func aModelThatFailsLeavesTheOldOne() throws {
    let binary = try makeBinary()
    let terminal = try PseudoTerminal(
      binary, ["chat", "-m", "one", "-n", "4", "-c", "512", "--temperature", "0"])
    #expect(terminal.expect("> "))
    terminal.type("/model broken\r")
    #expect(terminal.expect("stays as it was"))
    #expect(terminal.expect("> "))
    terminal.type("hi\r")
    #expect(terminal.expect("tok/s"))
    #expect(terminal.expect("> "))
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
  }
}
