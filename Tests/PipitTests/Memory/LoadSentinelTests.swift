import Foundation
import Glibc
import TestSupport
import Testing

/// Loads that the process does not survive, with the built binary.
@Suite struct LoadSentinelTests {
  /// Loading takes minutes.
  private func makeBinary() throws -> BuiltBinary {
    let binary = try BuiltBinary(script: #"{"replies": [["x"]], "loadDelay": 60000}"#)
    try binary.install("tiny")
    return binary
  }

  private func markers(_ binary: BuiltBinary) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: binary.home + "/loads")) ?? []
  }

  /// Starts a load and gives the process once the load is noted.
  private func startLoading(_ binary: BuiltBinary, _ flags: String...) throws -> Child {
    let before = markers(binary).count
    let child = try binary.start(["run", "-m", "tiny"] + flags + ["x"], input: .null)
    let deadline = Date().addingTimeInterval(30)
    while markers(binary).count == before, Date() < deadline { usleep(5000) }
    #expect(markers(binary).count == before + 1)
    return child
  }

  private func die(_ binary: BuiltBinary) throws {
    let child = try startLoading(binary)
    child.kill(SIGKILL)
    #expect(child.finish().code == 128 + SIGKILL)
  }

  @Test func twoDeathsAreEnough() throws {
    let binary = try makeBinary()
    try die(binary)
    try die(binary)
    let refused = try binary.run("run", "-m", "tiny", "--json", "x")
    #expect(refused.code == 4)
    #expect(refused.errorText.contains("pipit models verify tiny"))
    #expect(refused.errorText.contains("--force"))
    #expect(
      refused.outputText.hasPrefix(#"{"refusal":{"kind":"deaths","model":"tiny","path":""#))
    #expect(refused.outputText.contains(#""count":2"#))
    // Another model is loaded.
    try binary.install("other")
    let other = try binary.start(["run", "-m", "other", "x"], input: .null)
    usleep(300_000)
    other.kill(SIGINT)
    #expect(other.finish().code == 130)
    // Forcing loads it, and says what is forced.
    let forced = try startLoading(binary, "--force")
    forced.kill(SIGINT)
    let outcome = forced.finish()
    #expect(outcome.code == 130)
    #expect(outcome.errorText.contains("killed the program"))
    #expect(outcome.errorText.contains("trying anyway (--force)"))
    #expect(try binary.run("run", "-m", "tiny", "x").code == 4)
  }

  @Test(
    arguments: [
      (SIGINT, Int32(130)), (SIGTERM, Int32(143)), (SIGHUP, Int32(143)),
      (SIGQUIT, Int32(128 + SIGQUIT)),
    ])
  func endingItIsNoDeath(_ signal: Int32, _ code: Int32) throws {
    let binary = try makeBinary()
    for _ in 0..<3 {
      let child = try startLoading(binary)
      child.kill(signal)
      #expect(child.finish().code == code)
    }
    #expect(markers(binary).isEmpty)
  }

  /// What was started to outlive its terminal does.
  @Test func anIgnoredHangUpStaysIgnored() throws {
    let binary = try makeBinary()
    let child = try Child(
      "/bin/sh", ["-c", "trap '' HUP; exec \(BuiltBinary.path) run -m tiny x"], input: .null,
      environment: binary.environment([:]))
    let deadline = Date().addingTimeInterval(30)
    while markers(binary).isEmpty, Date() < deadline { usleep(5000) }
    child.kill(SIGHUP)
    usleep(200_000)
    #expect(markers(binary).count == 1)
    child.kill(SIGINT)
    #expect(child.finish().code == 130)
  }

  @Test func twoProcessesThatLiveAreNoDeaths() throws {
    let binary = try makeBinary()
    let first = try startLoading(binary)
    let second = try startLoading(binary)
    let third = try startLoading(binary)
    for child in [first, second, third] {
      child.kill(SIGINT)
      #expect(child.finish().code == 130)
    }
  }

  @Test func aLoadThatIsDoneForgetsOneDeath() throws {
    let binary = try makeBinary()
    try die(binary)
    let quick = #"{"replies": [["x"]]}"#
    try Data(quick.utf8).write(to: URL(filePath: binary.home + "/script.json"))
    #expect(try binary.run("run", "-m", "tiny", "x").code == 0)
    #expect(markers(binary).isEmpty)
  }

  @Test func aCleanRefusalIsNoDeath() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["x"]], "loadFailures": {"tiny": "memory"}}"#)
    try binary.install("tiny")
    for _ in 0..<4 {
      let outcome = try binary.run("run", "-m", "tiny", "x")
      #expect(outcome.code == 4)
      #expect(outcome.errorText.contains("9.00 GB"))
    }
    #expect(markers(binary).isEmpty)
  }
}

/// Loads of a real model that are killed under way, and the way out.
@Suite(.serialized, .enabled(if: TestModels.smolLM2 != nil)) struct KilledLoadTests {
  private func markers(_ binary: BuiltBinary) -> Int {
    let folder = binary.home + "/loads"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // One that is not written yet tells nothing.
    return names.count { FileManager.default.contents(atPath: folder + "/" + $0)?.isEmpty == false }
  }

  /// Kills loads as soon as they are noted, until so many deaths are.
  private func die(_ binary: BuiltBinary, times: Int) throws {
    // One that was over before it could be killed forgets the deaths before it.
    for _ in 0..<40 where markers(binary) < times {
      let before = markers(binary)
      let child = try binary.start(["run", "-m", "real", "-t", "1", "-n", "1", "x"], input: .null)
      let deadline = Date().addingTimeInterval(30)
      while markers(binary) == before, Date() < deadline { usleep(200) }
      child.kill(SIGKILL)
      _ = child.finish()
    }
    #expect(markers(binary) == times)
  }

  @Test func twoDeathsRefuseUntilTheFilesAreVerified() throws {
    let binary = try BuiltBinary()
    let folder = binary.home + "/models/real"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/real.gguf", withDestinationPath: try #require(TestModels.smolLM2))
    try die(binary, times: 2)
    let refused = try binary.run("run", "-m", "real", "-n", "1", "x")
    #expect(refused.code == 4)
    #expect(refused.errorText.contains("pipit models verify real"))
    #expect(try binary.run("models", "verify", "real").code == 0)
    #expect(markers(binary) == 0)
    #expect(try binary.run("run", "-m", "real", "-n", "1", "x").code == 0)
  }
}
