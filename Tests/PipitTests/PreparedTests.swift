import Foundation
import Kernels
import TestSupport
import Testing

/// Prepared weights, as the program shows and keeps them.
@Suite struct PreparedTests {
  /// A model's file is listed and goes with it.
  @Test func itIsListedAndRemovedWithItsModel() throws {
    let binary = try BuiltBinary()
    try binary.install("qwen3")
    var checksum = Checksum()
    checksum.update(Array((binary.home + "/models/qwen3/qwen3.gguf").utf8).span)
    let folder = binary.home + "/prepared"
    let file = "\(folder)/qwen3%2Egguf-\(String(checksum.value, radix: 16)).tiles"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(count: 1000).write(to: URL(filePath: file))

    #expect(
      try binary.run("models", "--installed").outputText
        == "qwen3  4 B  ?  default, prepared\n")
    #expect(try binary.run("models", "show", "qwen3").outputText.contains("1.00 kB in \(folder)"))
    #expect(
      try binary.run("models", "--installed", "--json").outputText
        .contains("\"prepared_bytes\":1000"))
    #expect(try binary.run("models", "rm", "qwen3").code == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func theLimitMustBeANumber() throws {
    let binary = try BuiltBinary()
    try binary.install("qwen3")
    try Data(#"{"prepared_bytes": "much"}"#.utf8)
      .write(to: URL(filePath: binary.home + "/config.json"))
    let run = try binary.run("run", "hello")
    #expect(run.code != 0 && run.errorText.contains("\"prepared_bytes\" is not a number of bytes"))
  }

  /// A second run maps what the first has prepared, and answers the same; config.json can forbid it.
  @Test(.enabled(if: TestModels.slow && TestModels.qwen35Shape != nil))
  func aSecondRunMapsIt() throws {
    let model = try #require(TestModels.qwen35Shape)
    let binary = try BuiltBinary()
    let folder = binary.home + "/prepared"
    let config = URL(filePath: binary.home + "/config.json")
    func answer() throws -> String {
      let run = try binary.run(
        "run", "-m", model, "--temperature", "0", "-n", "8", "What is gravity?")
      #expect(run.code == 0, "\(run.errorText)")
      return run.outputText
    }
    func files() -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
    try Data(#"{"prepared_bytes": 0}"#.utf8).write(to: config)
    let wanted = try answer()
    #expect(files() == [])
    try FileManager.default.removeItem(at: config)
    #expect(try answer() == wanted)
    let file = try #require(files().first)
    let written = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)
    #expect(try answer() == wanted)
    let used = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)
    #expect(written[.systemFileNumber] as? Int == used[.systemFileNumber] as? Int)
    #expect(files() == [file])
    // One byte that is wrong costs the time to prepare it again.
    let handle = try FileHandle(forUpdating: URL(filePath: folder + "/" + file))
    try handle.seek(toOffset: 100_000_000)
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: 100_000_000)
    try handle.write(contentsOf: Data([byte ^ 16]))
    try handle.close()
    #expect(try answer() == wanted)
    let again = try FileHandle(forReadingFrom: URL(filePath: folder + "/" + file))
    defer { try? again.close() }
    try again.seek(toOffset: 100_000_000)
    #expect(try again.read(upToCount: 1) == Data([byte]))
  }
}
