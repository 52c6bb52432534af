import Foundation
import Testing

/// `pipit history`, and what `run` and `chat` keep for it.
@Suite struct HistoryTests {
  private static let script = #"{"replies": [["Rhine and Danube"]], "record": "RECORD"}"#
  private let binary: BuiltBinary

  init() throws {
    binary = try BuiltBinary(script: Self.script, recording: true)
  }

  /// The conversations of `history --json`.
  private func list(_ flags: String...) throws -> [[String: Any]] {
    let outcome = try binary.run(["history", "--json"] + flags)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    return try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]] ?? []
  }

  private func first() throws -> String {
    try list().first?["id"] as? String ?? ""
  }

  @Test func runKeepsNothingUnlessAsked() throws {
    #expect(try binary.run("run", "x").code == 0)
    #expect(!FileManager.default.fileExists(atPath: binary.home + "/conversations"))
    let outcome = try binary.run("history")
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    #expect(outcome.errorText == "There is no conversation yet.\n")
    #expect(try binary.run("history", "show").code == 1)
    #expect(try list().isEmpty)
  }

  @Test func aConversationGoesOnFromAPipe() throws {
    #expect(try binary.run("run", "--save", "Name rivers").outputText == "Rhine and Danube\n")
    #expect(
      try binary.run("run", "--continue", "--temperature", "0.5", input: "The longest?").code == 0)
    let id = try first()
    #expect(try binary.run("run", "--conversation", String(id.prefix(8)), "And now?").code == 0)
    let kept = try #require(try list().first)
    #expect(try list().count == 1)
    #expect(kept["title"] as? String == "Name rivers")
    #expect(kept["messages"] as? Int == 6)
    let prompt = try #require(binary.record.last { $0.contains("prompt") })
    #expect(prompt.contains(#"Danube<|im_end|>\n<|im_start|>user\nThe longest?<|im_end|>"#))
    #expect(prompt.contains("And now?"))
    let shown = try binary.run("history", "show", id)
    #expect(try binary.run("history", "show").outputText == shown.outputText)
    #expect(shown.outputText.contains("User:\nName rivers\n\nAssistant:\nRhine and Danube\n"))
    let document = try binary.run("history", "export", id, "json").outputText
    #expect(document.contains(#""temperature":0.5"#))
    #expect(try binary.run("run", "--continue", "--conversation", id, "x").code == 2)
  }

  @Test func continuingBeginsWhereThereIsNothing() throws {
    #expect(try binary.run("run", "--continue", "first").code == 0)
    #expect(try list().count == 1)
    #expect(try binary.run("run", "--conversation", "0123", "x").code == 2)
  }

  @Test func aChatIsKept() throws {
    #expect(try binary.run("chat", input: "one\ntwo\n/clear\nthree\n").code == 0)
    let titles = try list().map { $0["title"] as? String ?? "" }
    #expect(Set(titles) == ["one", "three"])
    #expect(try binary.run("chat", "--continue", input: "four\n").code == 0)
    #expect(try list().first?["messages"] as? Int == 4)
    #expect(try binary.run("chat", "--conversation", "zz", input: "x\n").code == 2)
  }

  /// What /undo took back is there to be read, though it is on no branch that is active.
  @Test func aConversationTakenBackToItsBeginningIsShown() throws {
    #expect(try binary.run("chat", input: "one\n/edit two\n/undo\n").code == 0)
    let shown = try binary.run("history", "show")
    #expect(shown.outputText.contains("User:\ntwo\n\nAssistant:\nRhine and Danube\n"))
    #expect(shown.errorText.hasPrefix("All of it was taken back with /undo; this is the last"))
    #expect(shown.errorText.contains("1 other branch is not shown"))
    let markdown = try binary.run("history", "export", try first(), "md").outputText
    #expect(markdown.contains("Rhine and Danube"))
  }

  @Test func listsSearchesAndExports() throws {
    for prompt in ["about rivers", "about \"mountains\""] {
      #expect(try binary.run(["run", "--save", prompt]).code == 0)
    }
    let listed = try binary.run("history").outputText
    #expect(listed.hasPrefix("Today\n") && listed.contains("2 messages  about rivers\n"))
    #expect(
      try binary.run("history", "list", "--limit", "1").outputText.split(separator: "\n").count == 2
    )
    let found = try binary.run("history", "search", "RIVERS").outputText
    #expect(found.contains("about rivers") && !found.contains("mountains"))
    let hits = try binary.run("history", "search", "danube", "--json")
    let values = try JSONSerialization.jsonObject(with: hits.output) as? [[String: Any]]
    #expect(values?.count == 2)
    #expect(values?.first?["snippet"] as? String == "Rhine and Danube")
    #expect(
      try binary.run("history", "search", "nowhere").errorText == "No conversation has that.\n")
    let id = try first()
    #expect(try binary.run("history", "export", id).outputText.hasPrefix("# about"))
    #expect(try binary.run("history", "export", id, "txt").outputText.hasPrefix("about"))
    #expect(try binary.run("history", "export", id, "pdf").code == 2)
    #expect(try binary.run("history", "export", "nobody").code == 2)
    #expect(try binary.run("history", "serch", "x").errorText.contains("did you mean 'search'"))
    #expect(try binary.run("history", "search").code == 2)
  }

  @Test func changes() throws {
    for prompt in ["one", "two"] { #expect(try binary.run(["run", "--save", prompt]).code == 0) }
    let ids = try list().compactMap { $0["id"] as? String }
    #expect(try binary.run("history", "rename", ids[1], "A", "new\u{1B}", "name").code == 0)
    #expect(try binary.run("history", "pin", ids[1]).code == 0)
    #expect(try list().first?["title"] as? String == "A new name")
    #expect(try binary.run("history").outputText.hasPrefix("Pinned\n"))
    #expect(try binary.run("history", "unpin", ids[1]).code == 0)
    #expect(try binary.run("history", "delete", ids[0], ids[1]).code == 0)
    #expect(try list().isEmpty)
    #expect(try list("--trash").count == 2)
    #expect(try binary.run("history", "undo").code == 0)
    #expect(try list().count == 1)
    #expect(try binary.run("history", "undo").code == 0)
    #expect(try list().count == 2)
    #expect(try binary.run("history", "delete", ids[0]).code == 0)
    #expect(try binary.run("history", "restore", ids[0]).code == 0)
    #expect(try binary.run("history", "restore", ids[0]).code == 2)
    #expect(try binary.run("history", "purge", ids[0]).code == 0)
    #expect(try binary.run("history", "purge").code == 2)
    #expect(try binary.run("history", "delete", ids[1]).code == 0)
    #expect(try binary.run("history", "purge", "--trash").code == 0)
    #expect(try list("--trash").isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: binary.home + "/conversations")
    #expect(names.sorted() == ["index.json", "index.lock"])
  }

  @Test func damageIsSaid() throws {
    #expect(try binary.run("run", "--save", "one").code == 0)
    let id = ConversationName.make(1)
    try Data("{".utf8).write(to: URL(filePath: binary.home + "/conversations/" + id))
    let outcome = try binary.run("history")
    #expect(outcome.code == 0)
    #expect(outcome.outputText.contains("one"))
    #expect(outcome.errorText.contains("A file was damaged; it is kept as \(binary.home)"))
    #expect(try binary.run("history").errorText.isEmpty)
  }

  /// Who runs a script learns where the answer was kept, and what was in force.
  @Test func anObjectNamesTheConversation() throws {
    func object(_ arguments: [String]) throws -> [String: Any] {
      let outcome = try binary.run(arguments)
      return try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any] ?? [:]
    }
    #expect(try object(["run", "--json", "x"])["conversation"] is NSNull)
    let kept = try object(["run", "--json", "--save", "--system", "Be brief.", "--think", "x"])
    #expect(kept["conversation"] as? String == (try first()))
    let again = try object(["run", "--json", "--continue", "y"])
    #expect(again["conversation"] as? String == (try first()))
    // The system prompt is the conversation's own.
    let settings = again["settings"] as? [String: Any]
    #expect(settings?["system"] as? String == "Be brief." && settings?["think"] as? Bool == true)
    let lines = try binary.run("run", "--ndjson", "--continue", "z").outputText
    #expect(lines.hasSuffix("{\"event\":\"kept\",\"conversation\":\"\(try first())\"}\n"))
    #expect(try !binary.run("run", "--ndjson", "z").outputText.contains("kept"))
    let text = try binary.run("run", "--stats", "--continue", "z")
    #expect(text.errorText.contains("Kept as \(try first().prefix(8))"))
  }

  /// What a conversation was begun with can be taken back on the command line.
  @Test func theOverflowOfAConversationCanBeTakenBack() throws {
    func overflow(_ flags: String...) throws -> String? {
      let outcome = try binary.run(["chat", "--json"] + flags, input: Data("x\n".utf8))
      let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
      return (object?["settings"] as? [String: Any])?["overflow"] as? String
    }
    #expect(try overflow("--overflow", "drop-oldest") == "drop-oldest")
    #expect(try overflow("--continue") == "drop-oldest")
    #expect(try overflow("--continue", "--overflow", "refuse") == "refuse")
    #expect(try overflow("--continue") == "refuse")
  }

  /// Who leaves with something unsaved learns so from the exit code too.
  @Test func whatCannotBeKeptIsAFailure() throws {
    try Data().write(to: URL(filePath: binary.home + "/conversations"))
    for (arguments, input) in [(["chat"], "x\n"), (["run", "--save", "x"], "")] {
      let outcome = try binary.run(arguments, input: Data(input.utf8))
      #expect(outcome.code == 1, "\(arguments)")
      #expect(outcome.outputText == "Rhine and Danube\n")
      #expect(outcome.errorText.contains("conversations"))
    }
  }

  /// A title has its place in any window.
  @Test(arguments: [20, 40, 80, 200])
  func aListFitsTheWindow(_ columns: Int) throws {
    let title = "漢字 and a title that is rather long"
    #expect(try binary.run("run", "--save", title).code == 0)
    let terminal = try PseudoTerminal(binary, ["history"], columns: columns)
    #expect(terminal.finish() == 0)
    let rows = terminal.shown.text.split(separator: "\n")
    #expect(rows.count == 2)
    #expect(rows.last?.contains("漢字") == true, "\(rows)")
    #expect(columns < 200 || rows.last?.hasSuffix(title) == true)
  }

  @Test func titlesObeyNoTerminal() throws {
    #expect(try binary.run(["run", "--save", "red\u{1B}[31m\u{7} \u{9B}2Jtitle"]).code == 0)
    for command in [["history"], ["history", "search", "title"], ["history", "--json"]] {
      let outcome = try binary.run(command)
      for byte in outcome.output + outcome.errors { #expect(byte >= 0x20 || byte == 0x0A) }
    }
    let terminal = try PseudoTerminal(binary, ["history", "--color", "never"])
    #expect(terminal.finish() == 0)
    #expect(terminal.screen.contains("red[31m 2Jtitle"))
    #expect(!terminal.screen.contains("\u{1B}") && !terminal.screen.contains("\u{9B}"))
  }
}

/// The name of a document.
enum ConversationName {
  static func make(_ number: Int) -> String {
    let digits = String(number)
    return "conversation-00000000-0000-4000-8000-"
      + String(repeating: "0", count: 12 - digits.count) + digits + ".json"
  }
}
