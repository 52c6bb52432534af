import Foundation
import Testing

/// What a terminal shows of a chat, against screens that were looked at and kept.
@Suite(.serialized) struct ScreenTests {
  /// The reply of `reply.md` in small pieces.
  private static func script(delay: Int = 0) throws -> String {
    let source = try fixture("reply.md")
    var steps: [Any] = []
    var rest = source[...]
    while !rest.isEmpty {
      steps.append(String(rest.prefix(7)))
      rest = rest.dropFirst(7)
      if delay > 0 { steps.append(["delay": delay]) }
    }
    let object: [String: Any] = ["replies": [steps]]
    return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  private static func fixture(_ name: String) throws -> String {
    let path = Bundle.module.resourcePath ?? ""
    return try String(contentsOfFile: path + "/Fixtures/screens/" + name, encoding: .utf8)
  }

  /// Compares a screen with the one that was kept, or keeps it.
  private static func expect(_ screen: Screen, is name: String) throws {
    #expect(screen.unknown == [])
    let text = screen.text.replacing(/thought for [0-9.]+ s/, with: "thought for 0.0 s")
    if ProcessInfo.processInfo.environment["PIPIT_WRITE_SNAPSHOTS"] != nil {
      let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/screens/\(name)")
      try Data(text.utf8).write(to: path)
      return
    }
    #expect(text == (try fixture(name)), "\(name)")
  }

  private static func leave(_ terminal: PseudoTerminal) {
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
  }

  @Test(arguments: [40, 80, 200])
  func aReplyIsLaidOut(_ columns: Int) throws {
    let binary = try BuiltBinary(script: try Self.script())
    let terminal = try PseudoTerminal(binary, ["chat"], columns: columns)
    #expect(terminal.expect("> "))
    terminal.type("hi 漢字 👋\r")
    #expect(terminal.expect("of 4,096"))
    #expect(terminal.expect("> "))
    Self.leave(terminal)
    try Self.expect(terminal.shown, is: "chat-\(columns).txt")
  }

  /// A chat with SmolLM2 as tmux showed it; its reply, said again, looks the same.
  @Test func aRecordedReplyLooksAsItDid() throws {
    let recorded = try Self.fixture("recorded.txt")
    let question = "> Write a Python function that adds two numbers, with an example.\n"
    let after = try #require(recorded.range(of: question)).upperBound
    let end = try #require(recorded[after...].range(of: "\n\nsmollm2")).lowerBound
    let reply = try Self.fixture("recorded-reply.md").map { String($0) }
    let script = try JSONSerialization.data(withJSONObject: ["replies": [reply]])
    let binary = try BuiltBinary(script: String(decoding: script, as: UTF8.self))
    let terminal = try PseudoTerminal(binary, ["chat"], columns: 84)
    #expect(terminal.expect("> "))
    terminal.type("hi\r")
    #expect(terminal.expect("of 4,096"))
    #expect(terminal.expect("> "))
    Self.leave(terminal)
    #expect(terminal.shown.text.contains("> hi\n" + recorded[after..<end] + "\n\nscripted"))
  }

  @Test func withoutColourMarksStay() throws {
    let binary = try BuiltBinary(script: try Self.script())
    let terminal = try PseudoTerminal(binary, ["chat"], environment: ["NO_COLOR": "1"])
    #expect(terminal.expect("> "))
    terminal.type("hi\r")
    #expect(terminal.expect("of 4,096"))
    #expect(terminal.expect("> "))
    Self.leave(terminal)
    #expect(!terminal.shown.hasStyles)
    try Self.expect(terminal.shown, is: "chat-plain.txt")
  }

  @Test func rawTextIsAsTheModelWroteIt() throws {
    let binary = try BuiltBinary(script: try Self.script())
    let terminal = try PseudoTerminal(binary, ["chat", "--raw"])
    #expect(terminal.expect("> "))
    terminal.type("hi\r")
    #expect(terminal.expect(#"\(x^2 \geq 0\)."#))
    #expect(terminal.shown.text.contains("Some **bold** and `code`, and a sentence"))
    #expect(terminal.expect("> "))
    Self.leave(terminal)
  }

  /// A window that becomes narrower in the middle of a reply loses and repeats nothing.
  @Test func resizingWhileAReplyStreams() throws {
    let words = (1...120).map { "word\($0)" }
    let steps = words.map { #""\#($0) ", {"delay": 12}"# }.joined(separator: ", ")
    let binary = try BuiltBinary(script: #"{"replies": [[\#(steps)]]}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("go\r")
    #expect(terminal.expect("word40"))
    terminal.resize(columns: 44)
    #expect(terminal.expect("word80"))
    terminal.resize(columns: 100)
    #expect(terminal.expect("of 4,096"))
    #expect(terminal.expect("> "))
    let shown = terminal.shown.text.split(whereSeparator: \.isWhitespace).map(String.init)
    for word in words { #expect(shown.count { $0 == word } == 1, "\(word)") }
    Self.leave(terminal)
  }

  @Test(arguments: ["fold", "show", "hide"])
  func thoughtsAreShownAsAsked(_ display: String) throws {
    let binary = try BuiltBinary(
      script: """
        {"replies": [["First a thought.\\n", "Then ", "another.", "</think>\\n\\n", "The answer."]],
         "thinking": "switchable"}
        """)
    let terminal = try PseudoTerminal(binary, ["chat", "--think"])
    #expect(terminal.expect("> "))
    terminal.type("/think \(display)\r")
    #expect(terminal.expect("> "))
    terminal.type("hi\r")
    #expect(terminal.expect("of 4,096"))
    #expect(terminal.expect("> "))
    Self.leave(terminal)
    try Self.expect(terminal.shown, is: "think-\(display).txt")
  }

  /// Terminals do not agree on how wide a family is: what follows one is never put at a column that
  /// was reckoned.
  @Test func whatFollowsAnEmojiStandsBesideIt() throws {
    let binary = try BuiltBinary(
      script:
        #"{"replies": [["A 👩‍👩‍👧‍👦", {"delay": 900}, " family", {"delay": 900}, " and a 🇩🇪 flag", {"delay": 400}, " or ❤️", {"delay": 400}, " more"]]}"#
    )
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("go\r")
    #expect(terminal.expect("more"))
    #expect(terminal.expect("> "))
    Self.leave(terminal)
    #expect(terminal.screen.firstMatch(of: /\u{1B}\[[0-9]+C (family|flag|and|or|more)/) == nil)
    #expect(terminal.screen.contains("👩‍👩‍👧‍👦 family and a 🇩🇪 flag or ❤️ more"))
  }

  /// Each row is drawn about once: what has been written is not written again with every piece.
  @Test func finishedRowsAreNotDrawnAgain() throws {
    let paragraphs = (1...60).map { "Paragraph \($0) has a few words in it.\\n\\n" }
    let steps = paragraphs.flatMap { text in text.split(separator: " ").map { #""\#($0) ""# } }
    let binary = try BuiltBinary(script: #"{"replies": [[\#(steps.joined(separator: ", "))]]}"#)
    let terminal = try PseudoTerminal(binary, ["run", "--no-stdin", "--quiet", "x"])
    #expect(terminal.finish() == 0)
    let text = paragraphs.joined().replacing("\\n", with: "\n")
    #expect(terminal.screen.utf8.count < 4 * text.utf8.count)
    #expect(!terminal.screen.contains("\u{1B}[2J"))
    #expect(!terminal.screen.contains("\u{1B}[H"))
  }

  @Test func aRepeatingReplyIsSaidToBeCut() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["again and again", {"stop": "loop"}]]}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("go\r")
    #expect(terminal.expect("kept repeating itself"))
    #expect(terminal.expect("> "))
    Self.leave(terminal)
  }
}
