import Foundation
import Testing

/// The commands of the chat.
@Suite struct ChatCommandTests {
  private static let replies = #"[["First."], ["Second."], ["Third."], ["Fourth."]]"#

  private func chat(
    _ lines: String..., replies: String = Self.replies, in binary: BuiltBinary? = nil
  ) throws -> (outcome: Outcome, record: [String]) {
    let binary =
      try binary
      ?? BuiltBinary(script: #"{"replies": \#(replies), "record": "RECORD"}"#, recording: true)
    let outcome = try binary.run("chat", input: lines.joined(separator: "\n") + "\n")
    return (outcome, binary.record.filter { $0.contains(#""prompt""#) })
  }

  /// A wrong argument is answered with the form that is right.
  @Test(arguments: [
    ("/open 99", "as /list gives them"), ("/open nothing-like-it", "There is no conversation"),
    ("/search", "/search WORDS"), ("/branch 9", "a number from 1 to"), ("/branch x", "/branch [N]"),
    ("/export pdf", "md, json or txt"), ("/export", "/export md|json|txt [FILE]"),
    ("/copy everything", "code, all or nothing"), ("/attach", "/attach FILE|-"),
    ("/attach /nowhere", "could not be read"), ("/attach /", "Is a directory"),
    ("/attach /dev/zero", "/dev/zero is longer than"), ("/list some", "all or nothing"),
    ("/think never", "fold, show, hide or budget N"),
    ("/think budget x", "a whole number"), ("/params heat 1", "temperature, top-k"),
    ("/params temp 1", "did you mean temperature?"),
    ("/params seed -1", "a whole number from 0 to"),
    ("/params temperature hot", "a number from 0 to 100"), ("/regen now", "/regen stands alone"),
    ("/hlep", "did you mean /help?"), ("/edit", "/edit TEXT"), ("/help nothing", "no command"),
    ("/continue", "no reply that was cut short"), ("/delete 7", "a number"),
  ])
  func noCommandDeadEnds(_ line: String, _ answer: String) throws {
    let (outcome, record) = try chat("hi", line)
    #expect(outcome.code != 0)
    #expect(outcome.errorText.contains(answer), "\(outcome.errorText)")
    #expect(record.count == 1)
  }

  /// A number is of what was shown last.
  @Test func aNumberIsOfTheLastList() throws {
    let (outcome, _) = try chat("hi", "/search hi", "/open 99")
    #expect(outcome.errorText.contains("a number from 1 to 1, as /search gives them"))
  }

  @Test(arguments: [
    "/regen", "/undo", "/branch", "/copy", "/export md", "/fork", "/delete", "/stats", "/edit x",
    "/title", "/context", "/continue",
  ])
  func nothingSaidYetIsNoCrash(_ line: String) throws {
    let (outcome, _) = try chat(line)
    #expect(outcome.code == 0 || outcome.code == 1)
    #expect(!outcome.errorText.isEmpty)
    #expect(outcome.outputText.isEmpty)
  }

  @Test func everyCommandHasHelp() throws {
    let (outcome, _) = try chat("/help")
    let names = outcome.errorText.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }.filter { $0.hasPrefix("/") && $0 != "/help" }
    for name in [
      "/new", "/open", "/list", "/search", "/title", "/pin", "/delete", "/undo", "/branch", "/edit",
      "/regen", "/continue", "/fork", "/export", "/copy", "/attach", "/system", "/model", "/params",
      "/stats", "/context", "/exit",
    ] {
      #expect(names.contains(name))
      #expect(try chat("/help \(name)").outcome.errorText.hasPrefix(name))
    }
    // A model that cannot think has no use for these.
    #expect(!names.contains("/think"))
  }

  @Test func undoAndEditLeaveBranches() throws {
    let (outcome, record) = try chat(
      "one", "two", "/undo", "other", "/edit changed", "/branch", "/branch 1", "/regen", "/branch")
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "First.\nSecond.\nThird.\nFourth.\nFourth.\n")
    #expect(record.count == 5)
    #expect(record[2].contains(#"First.<|im_end|>\n<|im_start|>user\nother"#))
    #expect(record[3].contains(#"First.<|im_end|>\n<|im_start|>user\nchanged"#))
    #expect(record[4].contains(#"First.<|im_end|>\n<|im_start|>user\ntwo"#))
    #expect(outcome.errorText.contains("* 3  changed"))
    #expect(outcome.errorText.contains("* 4  two"))
  }

  @Test func conversationsAreListedOpenedAndSearched() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": \#(Self.replies), "record": "RECORD"}"#, recording: true)
    _ = try chat("about rivers", "/title Rivers of Europe", in: binary)
    _ = try chat("about hills", "/pin", in: binary)
    let (outcome, record) = try chat(
      "/list", "/search rivers", "/open 1", "more", "/open hills", "/delete", "/delete undo",
      "/open rivers of", "/title", in: binary)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("Pinned\n   1  about hills"))
    #expect(outcome.errorText.contains("2  Rivers of Europe"))
    #expect(record.last?.contains("about rivers") == true)
    #expect(record.last?.contains("more") == true)
    #expect(outcome.errorText.contains("Moved to the trash"))
    #expect(outcome.errorText.contains("Taken out of the trash"))
    #expect(outcome.errorText.hasSuffix("Rivers of Europe\n"))
  }

  @Test func exportWritesAFileOnce() throws {
    let binary = try BuiltBinary(script: #"{"replies": \#(Self.replies)}"#)
    for form in ["md", "json", "txt"] {
      let path = "\(binary.home)/out.\(form)"
      let (outcome, _) = try chat("hello there", "/export \(form) \(path)", in: binary)
      #expect(outcome.code == 0)
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("hello there"))
      let (again, _) = try chat("hello there", "/export \(form) \(path)", in: binary)
      #expect(again.code == 1)
      #expect(again.errorText.contains("File exists"))
    }
    #expect(try chat("hello", "/export txt -", in: binary).outcome.errorText.contains("First."))
  }

  /// A name that was not asked for is never in the way.
  @Test func exportFindsAName() throws {
    let binary = try BuiltBinary(script: #"{"replies": \#(Self.replies)}"#)
    let exports = try binary.shell(
      #"cd "$HOME" && printf 'Hi, there\n/export md\n/export md\n/export md\n' | "$PIPIT" chat"#)
    #expect(exports.code == 0, "\(exports.errorText)")
    #expect(exports.errorText.contains("Written to hi-there-3.md."))
    for name in ["hi-there", "hi-there-2", "hi-there-3"] {
      #expect(FileManager.default.fileExists(atPath: "\(binary.home)/\(name).md"))
    }
  }

  @Test func whatIsAttachedCanBeTakenAway() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    try Data("secret".utf8).write(to: URL(filePath: binary.home + "/a.txt"))
    let (outcome, record) = try chat(
      "/attach \(binary.home)/a.txt", "/context", "/attach -", "/attach -", "/context", "hi",
      in: binary)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.components(separatedBy: "attached     a.txt").count == 2)
    #expect(outcome.errorText.contains("a.txt does not go with the message."))
    #expect(outcome.errorText.contains("Nothing is attached."))
    #expect(record.last?.contains("secret") == false)
  }

  @Test func attachHasASizeGate() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "context": 1000, "record": "RECORD"}"#, recording: true)
    let small = binary.home + "/small.txt"
    let large = binary.home + "/large.txt"
    let binaryFile = binary.home + "/data.bin"
    try Data("a ``` fence\n```\n".utf8).write(to: URL(filePath: small))
    try Data(String(repeating: "word ", count: 400).utf8).write(to: URL(filePath: large))
    try Data([1, 0, 255]).write(to: URL(filePath: binaryFile))
    let (outcome, record) = try chat("/attach \(small)", "what is it", in: binary)
    #expect(outcome.code == 0)
    #expect(
      record.last?.contains(#"File small.txt:\n\n````\na ``` fence\n```\n````\n\nwhat is it"#)
        == true)
    let (refused, _) = try chat("/attach \(large)", in: binary)
    #expect(refused.code == 5)
    #expect(refused.errorText.contains("of the context of 1,000"))
    #expect(
      try chat("/attach \(binaryFile)", in: binary).outcome.errorText.contains("not a text file"))
  }

  @Test func parametersAreSetAndTakenBack() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["a"]], "thinking": "switchable", "record": "RECORD"}"#,
      recording: true)
    let (outcome, record) = try chat(
      "/params temperature 0.25", "/think budget 9", "/params", "hi", "/params temperature -",
      "/params", in: binary)
    #expect(outcome.code == 0)
    #expect(outcome.errorText.contains("temperature        0.25"))
    #expect(outcome.errorText.contains("temperature is the model's own."))
    #expect(outcome.errorText.contains("temperature        0.7"))
    #expect(record.last?.contains(#""think_budget":9"#) == true)
  }

  /// What other runners call them.
  @Test func otherNamesAreUnderstood() throws {
    let (outcome, record) = try chat("/?", "/? bye", "/?!", "/bye", "never sent")
    #expect(outcome.code == 0)
    #expect(outcome.errorText.contains("/regen"))
    #expect(outcome.errorText.contains("also /quit, /bye"))
    #expect(record.count == 1)
    #expect(record.first?.contains("/?!") == true)
  }

  @Test func aPathIsNoCommand() throws {
    let (outcome, record) = try chat("/usr/bin/env what is it", " /help")
    #expect(outcome.code == 0)
    #expect(record.count == 2)
    #expect(record[0].contains("/usr/bin/env what is it"))
    #expect(record[1].contains("user\\n/help"))
  }

  @Test func continuingGoesOnWithTheReply() throws {
    let (outcome, record) = try chat(
      "hi", "/continue", replies: #"[["It begins", {"stop": "length"}], [" and ends."]]"#)
    #expect(outcome.code == 0)
    #expect(outcome.outputText == "It begins\n and ends.\n")
    #expect(
      record.last?.hasSuffix(#"assistant\nIt begins","think_budget":null,"draft":"auto"}"#) == true)
  }

  @Test func copyAsksTheTerminal() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["Text.\n\n```c\nint x;\n```\n"]]}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("hi\r")
    #expect(terminal.expect("of 4,096"))
    #expect(terminal.expect("> "))
    terminal.type("/copy code\r")
    #expect(terminal.expect("\u{1B}]52;c;\(Data("int x;\n".utf8).base64EncodedString())\u{7}"))
    #expect(terminal.expect("> "))
    terminal.type("/edit\r")
    #expect(terminal.expect("Change the message"))
    #expect(terminal.expect("hi"))
    terminal.type(" again\r")
    #expect(terminal.expect("of 4,096"))
    #expect(terminal.expect("> "))
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
  }
}
