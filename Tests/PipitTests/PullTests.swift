import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// `pipit models` against a Hub on this machine.
@Suite struct PullTests {
  private let binary: BuiltBinary
  private let hub: FakeHub
  private static let commit = String(repeating: "e", count: 40)
  private static let gguf = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "TransformersTests/Fixtures/gguf/llama-q5_1.gguf")
    .path

  init() throws {
    binary = try BuiltBinary()
    hub = try FakeHub()
  }

  private var environment: [String: String] {
    [
      "HF_ENDPOINT": hub.endpoint, "PIPIT_NETWORK_PATIENCE": "2", "no_proxy": "127.0.0.1,localhost",
    ]
  }

  private func models(_ arguments: String...) throws -> Outcome {
    try binary.run(["models"] + arguments, environment: environment)
  }

  private func serve(faults: [JSONValue] = []) throws {
    try hub.serve(
      [
        "owner/tiny": [
          "commit": .string(Self.commit), "licence": "apache-2.0", "downloads": 7,
          "tags": ["gguf"],
          "files": ["tiny-Q5_1.gguf": ["file": .string(Self.gguf), "lfs": true]],
        ]
      ], faults: faults)
  }

  @Test func aModelIsPulledUsedAndRemoved() throws {
    try serve()
    let refused = try models("pull", "hf:owner/tiny")
    #expect(refused.code == 2)
    #expect(refused.errorText.contains("Licence: apache-2.0"))
    #expect(try hub.log().allSatisfy { $0.sent == 0 })

    let pull = try models("pull", "hf:owner/tiny", "--yes")
    #expect(pull.code == 0, "\(pull.errorText)")
    #expect(pull.outputText == "")
    #expect(pull.errorText.contains("tiny is installed"))
    let again = try models("pull", "hf:owner/tiny", "--yes", "--json")
    #expect(again.code == 0)
    #expect(try JSONReader.read(Array(again.output))["name"]?.stringValue == "tiny")

    let show = try models("show", "tiny").outputText
    #expect(show.contains("hf:owner/tiny") && show.contains(Self.commit))
    #expect(try models("verify").outputText == "tiny/tiny-Q5_1.gguf: sound\n")
    #expect(try binary.run("inspect", "tiny").code == 0)

    #expect(try models("rm", "tiny").code == 0)
    #expect(try models("path", "tiny").code == 3)
    #expect(try models("rm", "--undo", "tiny").code == 0)
    #expect(try models("path", "tiny").code == 0)
    #expect(try models("rm", "tiny").code == 0)
    #expect(try models("gc").code == 2)
    let collected = try models("gc", "--yes", "--json")
    let freed = try JSONReader.read(Array(collected.output))
    #expect((freed["freed_bytes"]?.intValue ?? 0) > 0)
    #expect(freed["removed"]?.arrayValue?.count == 1)
    #expect(try models("rm", "--undo", "tiny").code == 3)
  }

  /// A download that goes on keeps what is its own, and nothing else.
  @Test func gcGoesRoundWhatIsBusy() throws {
    let incoming = binary.home + "/models/.incoming"
    for name in ["busy", "left"] {
      try FileManager.default.createDirectory(
        atPath: "\(incoming)/\(name)", withIntermediateDirectories: true)
      try Data(repeating: 1, count: 10_000).write(
        to: URL(filePath: "\(incoming)/\(name)/x.gguf.part"))
    }
    let lock = unsafe open(incoming + "/busy.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let outcome = try models("gc", "--yes", "--json")
    close(lock)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("busy stays: another pipit is working on it."))
    let report = try JSONReader.read(Array(outcome.output))
    func names(_ key: String) -> [String] {
      report[key]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    }
    #expect(names("removed") == ["left"] && names("busy") == ["busy"])
    #expect(FileManager.default.fileExists(atPath: incoming + "/busy/x.gguf.part"))
    #expect(!FileManager.default.fileExists(atPath: incoming + "/left"))
  }

  @Test func theAddressOfAPageIsARepository() throws {
    try serve()
    let pull = try models("pull", "https://huggingface.co/owner/tiny", "--yes")
    #expect(pull.code == 0, "\(pull.errorText)")
    #expect(pull.errorText.contains("tiny is installed"))
    let bare = try models("pull", "owner/tiny")
    #expect(bare.code == 3)
    #expect(bare.errorText.contains("'pipit models pull hf:owner/tiny' gets it"))
    let run = try binary.run("run", "-m", "hf:owner/tiny", "x")
    #expect(run.code == 3)
    #expect(run.errorText.contains("'pipit models pull hf:owner/tiny' gets it"))
  }

  @Test func damageEndsWithSix() throws {
    try serve()
    #expect(try models("pull", "hf:owner/tiny", "--yes").code == 0)
    let path = try models("path", "tiny").outputText.filter { $0 != "\n" }
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: 9000)
    try handle.write(contentsOf: Data([0xAA, 0xBB, 0xCC]))
    try handle.close()
    let verify = try models("verify", "tiny")
    #expect(verify.code == 6)
    #expect(verify.outputText.contains("damaged"))
    #expect(try models("list", "--installed").outputText.contains("changed"))
  }

  @Test func ownFilesAreAdded() throws {
    let added = try models("add", Self.gguf, "--name", "mine")
    #expect(added.code == 0, "\(added.errorText)")
    #expect(try models("path", "mine").outputText == binary.home + "/models/mine/llama-q5_1.gguf\n")
    #expect(try models("add", Self.gguf, "--name", "copy", "--copy").code == 0)
    #expect(try models("add", "/no/such.gguf").code == 3)
    #expect(try models("add", Self.gguf, "--name", "mine").code == 1)
  }

  @Test func searchesAreMarkedUnverified() throws {
    try serve()
    let text = try models("search", "tiny")
    #expect(text.outputText.hasPrefix("hf:owner/tiny  7 downloads  unverified\n    Q5_1 "))
    let json = try JSONReader.read(Array(try models("search", "tiny", "--json").output))
    #expect(json.arrayValue?.first?["verified"] == .bool(false))
  }

  /// A portal before the network answers everything with a page.
  @Test func aPageInPlaceOfJSONIsSaidSoon() throws {
    try serve(faults: [
      [
        "match": "api/models", "kind": "status", "code": 200, "times": -1, "skip": 0,
        "server": "hub",
      ]
    ])
    let outcome = try models("search", "tiny")
    #expect(outcome.code == 7)
    #expect(
      outcome.errorText.contains("A wrong answer from 127.0.0.1, trying again (2 of 2)"),
      "\(outcome.errorText)")
    #expect(try hub.log().count == 2)
  }

  /// Without the short patience of these tests too.
  @Test func aPortWhereNobodyListensIsSaidSoon() throws {
    let start = ContinuousClock.now
    let outcome = try binary.run(
      ["models", "search", "tiny"],
      environment: ["HF_ENDPOINT": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"])
    #expect(outcome.code == 7)
    #expect(outcome.errorText.contains("No connection to 127.0.0.1, trying again (2 of 2)"))
    #expect(outcome.errorText.contains("127.0.0.1 cannot be reached"))
    #expect(start.duration(to: .now) < .seconds(10))
  }

  @Test func offlineIsRefusedEarly() throws {
    try serve()
    let outcome = try models("pull", "hf:owner/tiny", "--yes", "--offline")
    #expect(outcome.code == 7)
    #expect(outcome.errorText.contains("--offline forbids it"))
    let variable = try binary.run(
      "models", "pull", "hf:owner/tiny", environment: ["HF_HUB_OFFLINE": "1"])
    #expect(variable.errorText.contains("HF_HUB_OFFLINE forbids it"))
    #expect(try hub.log().isEmpty)
    #expect(try models("pull", "hf:owner/none", "--yes").code == 7)
  }

  @Test func aTerminalIsAsked() throws {
    try serve()
    let terminal = try PseudoTerminal(
      binary, ["models", "pull", "hf:owner/tiny"], environment: environment)
    #expect(terminal.expect("Fetch it? [y/N]"))
    terminal.type("y\n")
    #expect(terminal.expect("tiny is installed"))
    #expect(terminal.finish() == 0)
    try serve()
    let other = try PseudoTerminal(
      binary, ["models", "gc"], environment: environment)
    #expect(other.expect("nothing to free"))
    #expect(other.finish() == 0)
  }

  // MARK: Interruptions

  private static let big = 60_000_000

  private func serveBig(_ size: Int, rate: Int?) throws -> String {
    let faults: [JSONValue] =
      rate.map {
        [
          [
            "match": "big-Q4_0.gguf", "kind": "throttle", "rate": .integer($0), "times": -1,
            "server": "cdn",
          ]
        ]
      } ?? []
    let digests = try hub.serve(
      [
        "owner/big": [
          "commit": .string(Self.commit),
          "files": ["big-Q4_0.gguf": ["size": .integer(size), "seed": 4, "lfs": true]],
        ]
      ], faults: faults)
    return try #require(digests["owner/big/big-Q4_0.gguf"])
  }

  private var part: String { binary.home + "/models/.incoming/big/big-Q4_0.gguf.part" }

  private func waitForPart(_ bytes: Int) throws {
    let deadline = Date().addingTimeInterval(120)
    while Date() < deadline {
      let size = try? FileManager.default.attributesOfItem(atPath: part)[.size] as? NSNumber
      if (size?.intValue ?? 0) >= bytes { return }
      usleep(5000)
    }
    Issue.record("nothing came")
  }

  @Test func anInterruptPausesAndTheSameCommandGoesOn() throws {
    _ = try serveBig(Self.big, rate: 30_000_000)
    let child = try binary.start(
      ["models", "pull", "hf:owner/big", "--yes"], input: .null, environment: environment)
    try waitForPart(15_000_000)
    child.kill(SIGINT)
    let outcome = child.finish()
    #expect(outcome.code == 130)
    #expect(outcome.errorText.contains("Paused at"))
    #expect(outcome.errorText.contains("'pipit models pull hf:owner/big' goes on from there"))
    #expect(try models("list", "--installed").outputText == "")
    let before = try hub.log().reduce(0) { $0 + $1.sent }
    // Made-up bytes are no model: they come whole, and are then refused.
    let again = try models("pull", "hf:owner/big", "--yes")
    #expect(again.code == 6)
    #expect(try models("list", "--installed").outputText == "")
    let sent = try hub.log().reduce(0) { $0 + $1.sent }
    #expect(sent - Self.big <= 4_000_000)
    #expect(before < Self.big)
  }

  @Test(.enabled(if: TestModels.slow)) func killedPullsLoseLittle() throws {
    let size = 300_000_000
    _ = try serveBig(size, rate: 150_000_000)
    for fraction in [0.2, 0.5, 0.8] {
      let child = try binary.start(
        ["models", "pull", "hf:owner/big", "--yes"], input: .null, environment: environment)
      try waitForPart(Int(Double(size) * fraction))
      child.kill(SIGKILL)
      #expect(child.finish().code == 137)
    }
    #expect(try models("pull", "hf:owner/big", "--yes").code == 6)
    let sent = try hub.log().reduce(0) { $0 + $1.sent }
    let twice = Double(sent - size) / Double(size)
    #expect(twice < 0.02, "\(twice)")
    print("kill -9 three times in \(size) bytes: \(sent - size) fetched twice")
  }

  // MARK: Wheels

  @Test func pipServesAWheel() throws {
    let wheels = binary.home + "/wheels"
    let maker = """
      import hashlib, os, sys, zipfile
      os.makedirs(sys.argv[2])
      data = open(sys.argv[1], "rb").read()
      with zipfile.ZipFile(sys.argv[2] + "/pipit_test_model-1.0-py3-none-any.whl", "w") as z:
          z.writestr("pipit_test_model/tiny.gguf", data)
          info = "pipit_test_model-1.0.dist-info/"
          z.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: pipit-test-model\\nVersion: 1.0\\n")
          z.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
          z.writestr(info + "RECORD", "")
      print(len(data), hashlib.sha256(data).hexdigest())
      """
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", maker, Self.gguf, wheels]
    process.standardOutput = pipe
    try process.run()
    process.waitUntilExit()
    let words = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    try #require(words.count == 2)
    func catalog(_ digest: String) -> String {
      """
      {"schema": 1, "models": [{"name": "wheeled", "title": "W", "family": "F", "publisher": "P",
      "licence": "MIT", "context": 4096, "thinking": "none", "architecture": {"name": "llama",
      "layers": 2, "full_attention_layers": 2, "hidden": 64, "feed_forward": 128, "heads": 2,
      "key_value_heads": 1, "head_dimension": 32, "vocabulary": 100, "tied": true},
      "variants": [{"name": "v", "format": "gguf", "bits": 6, "sources": [{"kind": "wheel",
      "package": "pipit-test-model", "version": "1.0", "files": [{"path": "tiny.gguf",
      "member": "pipit_test_model/tiny.gguf", "bytes": \(words[0]), "sha256": "\(digest)"}]}]}]}]}
      """
    }
    let folder = binary.home + "/catalog.d"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = URL(filePath: folder + "/a.json")
    // No index is asked: pip is set up as a machine without network may be.
    let pip = ["PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels, "PIP_CONFIG_FILE": "/dev/null"]
    let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    let all = pip.merging(path) { $1 }

    try Data(catalog(String(repeating: "0", count: 64)).utf8).write(to: file)
    let wrong = try binary.run(["models", "pull", "wheeled", "--yes"], environment: all)
    #expect(wrong.code == 6, "\(wrong.errorText)")
    try Data(catalog(String(words[1])).utf8).write(to: file)
    let right = try binary.run(["models", "pull", "wheeled", "--yes"], environment: all)
    #expect(right.code == 0, "\(right.errorText)")
    #expect(try binary.run("models", "verify", "wheeled").code == 0)
    #expect(
      try binary.run("models", "path", "wheeled").outputText
        == binary.home + "/models/wheeled/tiny.gguf\n")
    let gone = try binary.run(
      ["models", "pull", "wheeled", "--yes"],
      environment: all.merging(["PIP_FIND_LINKS": "/no/such", "PIPIT_HOME": binary.home + "/b"]) {
        $1
      })
    #expect(gone.code == 3)  // another home has another menu
  }
}
