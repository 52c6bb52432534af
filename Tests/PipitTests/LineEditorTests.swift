import Foundation
import Testing

/// What the keys of a chat do, typed through a pseudoterminal.
@Suite(.serialized) struct LineEditorTests {
  private func leave(_ terminal: PseudoTerminal) {
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
  }

  @Test func typingDuringAReplyWaitsForThePrompt() throws {
    let binary = try BuiltBinary(
      script: """
        {"replies": [["begins", {"delay": 1500}, " and ends"], ["second"]], "record": "RECORD"}
        """, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("one\r")
    #expect(terminal.expect("begins"))
    terminal.type("typed 漢字 ahead\r")
    #expect(terminal.expect("and ends"))
    #expect(terminal.expect("second"))
    #expect(binary.record.last?.contains(#"user\ntyped 漢字 ahead<|im_end|>"#) == true)
    #expect(!terminal.shown.text.contains("beginstyped"))
    #expect(terminal.shown.text.contains("begins and ends"))
    leave(terminal)
  }

  @Test func controlDDuringAReplyLeavesAfterIt() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["begins", {"delay": 1000}, " and ends"]]}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("one\r")
    #expect(terminal.expect("begins"))
    terminal.type("\u{4}")
    #expect(terminal.expect("and ends"))
    #expect(terminal.finish() == 0)
  }

  @Test func aPasteDuringAReplyIsOneMessage() throws {
    let binary = try BuiltBinary(
      script: """
        {"replies": [["begins", {"delay": 1500}, " and ends"], ["second"]], "record": "RECORD",
         "context": 20000}
        """, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("one\r")
    #expect(terminal.expect("begins"))
    // More than a terminal's queue holds.
    let lines = (1...400).map { "line \($0) 漢字" }
    terminal.paste(lines.joined(separator: "\r"))
    #expect(terminal.expect("and ends"))
    #expect(terminal.expect("line 400"))
    terminal.type("\r")
    #expect(terminal.expect("second"))
    #expect(binary.record.last?.contains(#"user\nline 1 漢字\nline 2 漢字\n"#) == true)
    #expect(binary.record.last?.contains(#"line 400 漢字<|im_end|>"#) == true)
    leave(terminal)
  }

  @Test func controlRFindsWhatAnEarlierSessionSaid() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    for text in ["吾輩は猫である", "名前はまだ無い"] {
      let terminal = try PseudoTerminal(binary, ["chat"])
      #expect(terminal.expect("> "))
      terminal.type("\(text)\r")
      #expect(terminal.expect("of 4,096"))
      #expect(terminal.expect("> "))
      leave(terminal)
    }
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("\u{12}")
    #expect(terminal.expect("(search)"))
    terminal.type("猫")
    #expect(terminal.expect("吾輩は猫である"))
    terminal.type("\r")
    #expect(terminal.expect("of 4,096"))
    #expect(binary.record.last?.contains(#"user\n吾輩は猫である<|im_end|>"#) == true)
    // Given up, it leaves an empty line.
    #expect(terminal.expect("> "))
    terminal.type("\u{12}名")
    #expect(terminal.expect("名前はまだ無い"))
    terminal.type("\u{7}")
    terminal.type("new\r")
    #expect(terminal.expect("of 4,096"))
    #expect(binary.record.last?.contains(#"user\nnew<|im_end|>"#) == true)
    #expect(terminal.expect("> "))
    leave(terminal)
  }

  @Test func tabCompletesCommandsFilesAndModels() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    try binary.install("tiny-model")
    try Data("text of the notes".utf8).write(to: URL(filePath: binary.home + "/notes 漢字.txt"))
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("/mod\ttin\t\r")
    #expect(terminal.expect("Now talking to tiny-model."))
    #expect(terminal.expect("> "))
    terminal.type("/att\t\(binary.home)/no\t\r")
    #expect(terminal.expect("notes 漢字.txt, "))
    #expect(terminal.expect("> "))
    terminal.type("/e\t")
    #expect(terminal.expect("/export"))
    terminal.type("\u{15}sum up\r")
    #expect(terminal.expect("of 4,096"))
    let last = binary.record.last ?? ""
    #expect(last.contains("File notes 漢字.txt:"))
    #expect(last.contains("text of the notes"))
    #expect(last.contains("sum up<|im_end|>"))
    #expect(terminal.expect("> "))
    leave(terminal)
  }

  @Test func tabCompletesConversations() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    for title in ["Rivers of Europe", "Rivers of Asia", "Über Berge", "42"] {
      #expect(try binary.run("run", "--save", title).code == 0)
    }
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("/op\triv\t")
    #expect(terminal.expect("Rivers of "))
    terminal.type("E\t\r")
    #expect(terminal.expect("> Rivers of Europe"))
    #expect(terminal.expect("> "))
    terminal.type("/open üb\t\r")
    #expect(terminal.expect("> Über Berge"))
    #expect(terminal.expect("> "))
    // A title that is a number would be one of the last list.
    let list = try binary.run("history").outputText.split(separator: "\n")
    let line = try #require(list.first { $0.hasSuffix("  42") })
    terminal.type("/open \(line.prefix(6))\t\r")
    #expect(terminal.expect("> 42"))
    #expect(terminal.expect("> "))
    terminal.type("/delete un\t")
    #expect(terminal.expect("do"))
    terminal.type("\u{15}")
    leave(terminal)
  }

  /// The file of what was typed may hold what a terminal would obey.
  @Test func whatWasTypedBeforeDrawsNothing() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    try Data("evil \u{1B}[2J\u{9B}31m text\n".utf8)
      .write(to: URL(filePath: binary.home + "/history"))
    let terminal = try PseudoTerminal(binary, ["chat"])
    #expect(terminal.expect("> "))
    terminal.type("\u{12}evil")
    #expect(terminal.expect("[2J31m text"))
    terminal.type("\u{7}")
    leave(terminal)
    #expect(!terminal.screen.contains("\u{1B}[2J") && !terminal.screen.contains("\u{9B}"))
  }

  @Test func controlGOpensTheEditor() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    let editor = binary.home + "/editor"
    try Data(
      "#!/bin/sh\nsed 's/two/zwei/' \"$1\" > \"$1.new\"\nprintf 'more\\n' >> \"$1.new\"\nmv \"$1.new\" \"$1\"\n"
        .utf8
    )
    .write(to: URL(filePath: editor))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
    // By the shell: a file that has just been written cannot be executed while a process that another
    // test forked meanwhile has it open.
    let terminal = try PseudoTerminal(binary, ["chat"], environment: ["EDITOR": "sh \(editor)"])
    #expect(terminal.expect("> "))
    terminal.type("one two 漢字")
    #expect(terminal.expect("漢字"))
    terminal.type("\u{7}")
    #expect(terminal.expect("more"))
    terminal.type("\r")
    #expect(terminal.expect("of 4,096"))
    #expect(binary.record.last?.contains(#"user\none zwei 漢字\nmore<|im_end|>"#) == true)
    #expect(terminal.expect("> "))
    leave(terminal)
  }

  @Test func aMissingEditorIsToldAndTheLineKept() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"], environment: ["EDITOR": "/nowhere/editor"])
    #expect(terminal.expect("> "))
    terminal.type("kept")
    #expect(terminal.expect("kept"))
    terminal.type("\u{7}")
    #expect(terminal.expect("did not run"))
    #expect(terminal.expect("kept"))
    terminal.type("\r")
    #expect(terminal.expect("of 4,096"))
    #expect(binary.record.last?.contains(#"user\nkept<|im_end|>"#) == true)
    #expect(terminal.expect("> "))
    leave(terminal)
  }

  /// What is put into the middle of a text of wide characters leaves all of it in sight.
  @Test(arguments: [20, 21, 40])
  func wideTextIsEditedInSight(_ columns: Int) throws {
    let text = "長い文章を入力して、幅を超えたらどうなるか、そしてもっと長い see"
    let binary = try BuiltBinary(
      script: #"{"replies": [["ok"]], "record": "RECORD"}"#, recording: true)
    let terminal = try PseudoTerminal(binary, ["chat"], columns: columns)
    #expect(terminal.expect("> "))
    terminal.type(text)
    #expect(terminal.expect("see"))
    terminal.type("\u{1}X")
    #expect(terminal.expect("X"))
    terminal.type("\u{6}Y")
    #expect(terminal.expect("Y"))
    // Nothing more comes.
    #expect(!terminal.expect("never", seconds: 0.5))
    let shown = terminal.shown.text.split(separator: "\n").joined()
    #expect(shown.hasSuffix("> X長Yい文章を入力して、幅を超えたらどうなるか、そしてもっと長い see"))
    terminal.type("\r")
    #expect(terminal.expect("of 4,096"))
    #expect(binary.record.last?.contains("X長Yい文章を入力して、幅を超えたら") == true)
    #expect(terminal.expect("> "))
    leave(terminal)
  }

  @Test func leavingGivesTheTerminalBack() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    let terminal = try PseudoTerminal(binary, ["chat"])
    let before = terminal.modeBefore
    #expect(terminal.expect("> "))
    #expect(terminal.mode != before)
    terminal.type("/exit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.mode == before)
    #expect(terminal.screen.contains("\u{1B}[?2004l"))
  }
}
