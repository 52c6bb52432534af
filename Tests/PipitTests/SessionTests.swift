import Foundation
import Testing

/// Chats with real models that tmux showed (`Scripts/fixtures/record_session.py`), held again with
/// the same keys and the same replies: the screen has to be the same.
@Suite(.serialized) struct SessionTests {
  /// What was done and what was said.
  private struct Session: Decodable {
    struct Reply: Decodable {
      var text: String?
      var reasoning: String?
      /// Where Ctrl-C met it: `prompt` or `reply`.
      var stopped: String?
      /// Why it ended, when not by the model.
      var stop: String?
    }

    /// One of these.
    struct Step: Decodable {
      struct Paste: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          if let text = try? container.decode(String.self) {
            self.text = text
          } else {
            let count = try container.decode([String: Int].self)["lines"] ?? 0
            text = (0..<count).map { "line \($0 + 1) of many" }.joined(separator: "\r")
          }
        }
      }

      var type: String?
      var paste: Paste?
      var expect: String?
      var reply: String?
      var resize: Int?
      /// Seconds.
      var wait: Double?
    }

    var columns: Int
    var rows: Int
    var arguments: [String]
    var steps: [Step]
    var replies: [Reply]
    /// Whether thoughts come before a reply.
    var thinks: Bool { replies.contains { $0.reasoning != nil } }
  }

  private static let folder = (Bundle.module.resourcePath ?? "") + "/Fixtures/sessions/"

  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// The replies as the scripted engine says them, in pieces.
  private static func script(_ session: Session, hasResizes: Bool) throws -> String {
    var replies: [[Any]] = []
    for reply in session.replies {
      var text = reply.reasoning.map { $0 + "</think>\n\n" } ?? ""
      text += reply.text ?? "never said"
      var steps: [Any] = []
      var rest = text[...]
      while !rest.isEmpty {
        steps.append(String(rest.prefix(5)))
        rest = rest.dropFirst(5)
        if hasResizes { steps.append(["delay": 8]) }
      }
      if reply.stopped == "reply" { steps.append(["delay": 600_000]) }
      if let reason = reply.stop { steps.append(["stop": reason]) }
      replies.append(steps)
    }
    let object: [String: Any] = [
      "replies": replies, "context": 8192, "prefillDelay": 30,
      "thinking": session.thinks ? "switchable" : "none",
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  /// Without the limits that the replies have met already: the scripted engine's tokens are bytes.
  private static func arguments(_ session: Session) -> [String] {
    var arguments = session.arguments
    for flag in ["--max-tokens", "--think-budget"] {
      if let index = arguments.firstIndex(of: flag) {
        arguments.removeSubrange(index...(index + 1))
      }
    }
    return arguments
  }

  /// What differs from run to run is masked: figures, dates and the model's name.
  private static func masked(_ screen: String) -> [Substring] {
    screen.replacing(/(?m)^.* of 8,192 tokens.*$/, with: "FIGURES")
      .replacing(/(?m)^\S+, 8,192 tokens/, with: "MODEL, 8,192 tokens")
      .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d/, with: "DATE")
      .replacing(/thought for [0-9.]+ m?s/, with: "thought for TIME")
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func thereAreSome() {
    #expect(Self.names.count >= 5)
  }

  @Test(arguments: names)
  func looksAsItDid(_ name: String) throws {
    let data = try Data(contentsOf: URL(filePath: Self.folder + name + ".json"))
    let session = try JSONDecoder().decode(Session.self, from: data)
    let hasResizes = session.steps.contains { $0.resize != nil }
    let binary = try BuiltBinary(script: try Self.script(session, hasResizes: hasResizes))
    if let flag = session.arguments.firstIndex(of: "-m") {
      try binary.install(session.arguments[flag + 1])
    }
    let terminal = try PseudoTerminal(
      binary, Self.arguments(session), columns: session.columns, rows: session.rows)
    var replies = session.replies[...]
    for (index, step) in session.steps.enumerated() {
      // Ctrl-C comes once all is in sight that was when it came.
      let isFollowed = session.steps.dropFirst(index + 1).first?.reply != nil
      if step.type == "\u{3}", isFollowed, let reply = replies.first, reply.stopped == "reply" {
        let end = (reply.text ?? "").filter { !$0.isWhitespace }.suffix(24)
        for _ in 0..<100 where !terminal.shown.text.filter({ !$0.isWhitespace }).contains(end) {
          _ = terminal.expect("never said", seconds: 0.1)
        }
      }
      if step.reply != nil { _ = replies.popFirst() }
      if let text = step.type { terminal.type(text) }
      if let paste = step.paste { terminal.paste(paste.text) }
      if let text = step.expect ?? step.reply { try #require(terminal.expect(text), "\(text)") }
      if let columns = step.resize { terminal.resize(columns: columns) }
      // A person's keys do not come in one read.
      Thread.sleep(forTimeInterval: step.wait ?? 0.05)
    }
    terminal.type("\u{15}/exit\r")
    #expect(terminal.finish() == 0)
    let shown = Self.masked(terminal.shown.text)
    let recorded = Self.masked(
      try String(contentsOfFile: Self.folder + name + ".txt", encoding: .utf8))
    #expect(terminal.shown.unknown == [])
    if hasResizes {
      // Where rows are broken depends on the moment; what was said is there once and whole.
      func words(_ rows: [Substring]) -> [Substring] { rows.flatMap { $0.split(separator: " ") } }
      #expect(words(shown) == words(recorded))
    } else {
      #expect(shown == recorded)
    }
  }
}
