import Foundation
import Glibc

/// The built executable, run in a directory of its own.
///
/// Nothing of the tester's environment reaches it but what a test gives.
final class BuiltBinary: Sendable {
  let home: String
  private let script: String?

  /// A fresh home; `script` is what the scripted engine says (`EngineScriptFile`).
  ///
  /// With `recording` the word `RECORD` in it becomes the path that `record` reads.
  init(script: String? = nil, recording: Bool = false) throws {
    home = NSTemporaryDirectory() + "pipit-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    self.script = script == nil ? nil : home + "/script.json"
    if let script, let path = self.script {
      let text = recording ? script.replacing("RECORD", with: home + "/record") : script
      try Data(text.utf8).write(to: URL(filePath: path))
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Beside the test bundle.
  static var path: String {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "pipit").path
  }

  /// What the scripted engine was asked, a JSON object each.
  var record: [String] {
    let text = (try? String(contentsOfFile: home + "/record", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The identifiers of the conversations that are kept.
  var conversations: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: home + "/conversations")
        .filter { $0.hasPrefix("conversation-") && $0.hasSuffix(".json") }
        .map { String($0.dropFirst("conversation-".count).dropLast(".json".count)) }
    }
  }

  /// Puts an empty model into the library.
  func install(_ name: String) throws {
    let folder = home + "/models/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("GGUF".utf8).write(to: URL(filePath: folder + "/\(name).gguf"))
  }

  func environment(_ extra: [String: String]) -> [String] {
    var all = [
      "PATH": "/usr/bin:/bin", "HOME": home, "PIPIT_HOME": home, "LC_ALL": "C.UTF-8",
      "TERM": "xterm-256color",
    ]
    if let script { all["PIPIT_SCRIPTED_ENGINE"] = script }
    for (name, value) in extra { all[name] = value }
    return all.map { "\($0)=\($1)" }
  }

  /// Runs to the end, with `input` in a pipe; nil is `/dev/null`.
  func run(
    _ arguments: [String], input: Data? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = try start(
      arguments, input: input == nil ? .null : .pipe, environment: environment)
    if let input { process.send(input) }
    process.closeInput()
    return process.finish()
  }

  func run(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(arguments, input: input.map { Data($0.utf8) }, environment: environment)
  }

  /// Runs a shell command, which finds the executable in `$PIPIT`.
  func shell(
    _ command: String, environment: [String: String] = [:], seconds: TimeInterval = 240
  ) throws -> Outcome {
    let child = try Child(
      "/bin/sh", ["-c", command], input: .null,
      environment: self.environment(environment) + ["PIPIT=\(Self.path)"])
    return child.finish(seconds: seconds)
  }

  func start(
    _ arguments: [String], input: Child.Input = .pipe, environment: [String: String] = [:]
  ) throws -> Child {
    try Child(
      Self.path, arguments, input: input, environment: self.environment(environment))
  }
}

/// How a process ended and what it wrote.
struct Outcome: Sendable {
  /// The exit code; 128 and the signal's number when a signal ended it.
  var code: Int32
  var output: Data
  var errors: Data

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }
}
