import Foundation
import Testing

/// Each flag has its case here, and a flag without one fails a test.
@Suite struct FlagTests {
  /// A flag as given, and what shows that it was heeded.
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let evidence: Evidence
    var testDescription: String { arguments.joined(separator: " ") }

    enum Evidence: Sendable {
      /// A value under `settings` of `run --json`.
      case setting(String, String)
      /// A part of what the engine was asked.
      case asked(String)
      /// A part of standard output or standard error.
      case output(String)
      case errors(String)
      /// A file of a conversation, whose name begins so.
      case kept(String)
    }
  }

  static let cases: [Case] = [
    Case(arguments: ["run", "-m", "tiny", "x"], evidence: .asked(#""load":"tiny""#)),
    Case(arguments: ["run", "--model=tiny", "x"], evidence: .asked(#""load":"tiny""#)),
    Case(arguments: ["run", "-c", "2048", "x"], evidence: .asked(#""context":2048"#)),
    Case(arguments: ["run", "--context", "2048", "x"], evidence: .asked(#""context":2048"#)),
    Case(arguments: ["run", "-t", "3", "x"], evidence: .asked(#""threads":3"#)),
    Case(arguments: ["run", "--threads=auto", "x"], evidence: .asked(#""threads":null"#)),
    Case(arguments: ["run", "--kv-bits", "32", "x"], evidence: .asked(#""kv_bits":"32""#)),
    Case(arguments: ["run", "--kv-bits=8/4", "x"], evidence: .asked(#""kv_bits":"8/4""#)),
    Case(arguments: ["run", "--backend", "blas", "x"], evidence: .asked(#""backend":"blas""#)),
    Case(arguments: ["run", "--force", "x"], evidence: .asked(#""force":true"#)),
    Case(
      arguments: ["chat", "--overflow", "drop-oldest"],
      evidence: .setting("overflow", #""drop-oldest""#)),
    Case(arguments: ["run", "--offline", "x"], evidence: .output("one two three")),
    Case(
      arguments: ["run", "-s", "Be brief.", "x"],
      evidence: .asked(#"<|im_start|>system\nBe brief.<|im_end|>"#)),
    Case(
      arguments: ["run", "--system", "", "x"], evidence: .asked(#"<|im_start|>system\n<|im_end|>"#)
    ),
    Case(arguments: ["run", "-n3", "x"], evidence: .setting("max_tokens", "3")),
    Case(arguments: ["run", "--max-tokens=3", "x"], evidence: .setting("max_tokens", "3")),
    Case(arguments: ["run", "-n", "3", "x"], evidence: .setting("max_tokens", "3")),
    Case(arguments: ["run", "--temperature", "0", "x"], evidence: .setting("temperature", "0")),
    Case(arguments: ["run", "--temperature=.5", "x"], evidence: .setting("temperature", "0.5")),
    Case(arguments: ["run", "--top-k", "40", "x"], evidence: .setting("top_k", "40")),
    Case(arguments: ["run", "--top-p", "0.5", "x"], evidence: .setting("top_p", "0.5")),
    Case(arguments: ["run", "--min-p", "0.05", "x"], evidence: .setting("min_p", "0.05")),
    Case(
      arguments: ["run", "--repeat-penalty", "1.2", "x"],
      evidence: .setting("repeat_penalty", "1.2")),
    Case(
      arguments: ["run", "--presence-penalty", "-0.5", "x"],
      evidence: .setting("presence_penalty", "-0.5")),
    Case(
      arguments: ["run", "--frequency-penalty", "0.5", "x"],
      evidence: .setting("frequency_penalty", "0.5")),
    Case(
      arguments: ["run", "--seed", "18446744073709551615", "x"],
      evidence: .setting("seed", "18446744073709551615")),
    Case(
      arguments: ["run", "--stop", "two", "--stop=-x", "x"],
      evidence: .setting("stop", #"["two","-x"]"#)),
    Case(arguments: ["run", "--think", "x"], evidence: .asked(#"assistant\n<think>\n""#)),
    Case(
      arguments: ["run", "--no-think", "x"],
      evidence: .asked(#"assistant\n<think>\n\n</think>\n\n""#)),
    Case(arguments: ["run", "--think-budget", "9", "x"], evidence: .asked(#""think_budget":9"#)),
    Case(arguments: ["run", "--draft", "off", "x"], evidence: .asked(#""draft":"off""#)),
    Case(arguments: ["run", "--json", "x"], evidence: .output(#""text":"one two three""#)),
    Case(arguments: ["run", "--ndjson", "x"], evidence: .output(#"{"event":"finished""#)),
    Case(arguments: ["run", "--stats", "x"], evidence: .errors("reply 14 tokens")),
    Case(arguments: ["run", "--quiet", "--stats", "x"], evidence: .errors("")),
    Case(arguments: ["run", "--color", "always", "--stats", "x"], evidence: .errors("\u{1B}[2m")),
    Case(arguments: ["run", "--raw", "x"], evidence: .output("one two three")),
    Case(arguments: ["run", "--no-stdin", "x"], evidence: .output("one two three")),
    Case(arguments: ["run", "--save", "x"], evidence: .kept("conversation-")),
    Case(arguments: ["run", "--continue", "x"], evidence: .kept("conversation-")),
    Case(arguments: ["run", "--conversation", "77", "x"], evidence: .errors("conversation 77")),
    Case(arguments: ["history", "--limit", "0"], evidence: .errors("--limit takes")),
    Case(arguments: ["history", "--trash"], evidence: .errors("The trash is empty.")),
    Case(arguments: ["run", "-h"], evidence: .output("Usage:")),
    Case(arguments: ["run", "--help"], evidence: .output("Usage:")),
    Case(arguments: ["-V"], evidence: .output("pipit ")),
    Case(arguments: ["--version"], evidence: .output("pipit ")),
    Case(arguments: ["models", "gc", "--yes", "--json"], evidence: .output(#""freed_bytes":0"#)),
    Case(arguments: ["models", "--installed"], evidence: .output("tiny  4 B  ?  default\n")),
    Case(
      arguments: ["models", "add", "/dev/null", "--name", "../x"],
      evidence: .errors("'../x' cannot be a model's name")),
    Case(
      arguments: ["models", "add", "x", "--hard-link", "--copy"],
      evidence: .errors("--hard-link and --copy exclude each other")),
    Case(
      arguments: ["models", "rm", "--undo", "x"], evidence: .errors("no removed model 'x'")),
    Case(
      arguments: ["convert", "x", "y", "--bits", "7"],
      evidence: .errors("--bits takes 1, 2, 3, 4, 5, 6 or 8")),
    Case(
      arguments: ["convert", "x", "y", "--group", "16"],
      evidence: .errors("--group takes 32, 64 or 128")),
    Case(
      arguments: ["convert", "x", "y", "--override", "lm_head=7"],
      evidence: .errors("--override takes a pattern and a form")),
    Case(
      arguments: ["convert", "x", "y", "--ternary", "--bits", "2"],
      evidence: .errors("--bits and --ternary exclude each other")),
    Case(
      arguments: ["convert", "x", "y", "--text", "/no/such/text"],
      evidence: .errors("/no/such/text could not be read")),
    Case(arguments: ["bench", "-p", "7", "--csv"], evidence: .output(#","7","0","0","#)),
    Case(arguments: ["bench", "--n-prompt", "7", "--csv"], evidence: .output(#","7","0","0","#)),
    Case(arguments: ["bench", "-d", "5", "--csv"], evidence: .output(#","512","0","5","#)),
    Case(arguments: ["bench", "--n-depth", "5", "--csv"], evidence: .output(#","512","0","5","#)),
    Case(arguments: ["bench", "-n", "6", "--csv"], evidence: .output(#","0","6","0","#)),
    Case(arguments: ["bench", "-r", "1", "--json"], evidence: .output(#""n_prompt":512"#)),
    Case(arguments: ["bench", "--first-run"], evidence: .output("available of")),
    Case(arguments: ["bench", "--repetitions", "1"], evidence: .output("peak resident")),
    Case(arguments: ["fit", "--ram", "8GB"], evidence: .output("A machine with 8.00 GB: 6.30 GB")),
    Case(arguments: ["tokenize", "--special"], evidence: .output("104 105 256\n")),
    Case(
      arguments: ["tokenize", "--no-special"],
      evidence: .output("104 105 60 124 105 109 95 101 110 100 124 62\n")),
    Case(arguments: ["tokenize", "--batch"], evidence: .errors("JSON")),
    Case(
      arguments: ["logits", "--tokens", "1,2", "--out", "-", "--chunk", "1"],
      evidence: .output("\0\0")),
    Case(
      arguments: ["template", "--template-file", "/dev/null", "--input", "-"],
      evidence: .errors("JSON")),
  ]

  @Test(arguments: cases)
  func isHeeded(_ item: Case) throws {
    let binary = try BuiltBinary(
      script: """
        {"replies": [["one two three"]], "thinking": "switchable", "record": "RECORD"}
        """, recording: true)
    try binary.install("tiny")
    var arguments = item.arguments
    if case .setting = item.evidence { arguments.insert("--json", at: 1) }
    let input = item.arguments[0] == "run" ? nil : Data("hi<|im_end|>".utf8)
    let outcome = try binary.run(arguments, input: input)
    switch item.evidence {
    case .setting(let name, let value):
      let settings = outcome.outputText.components(separatedBy: #""settings":"#).last ?? ""
      #expect(settings.contains(#""\#(name)":\#(value)"#), "\(outcome)")
    case .asked(let text):
      #expect(binary.record.joined().contains(text), "\(binary.record) \(outcome.errorText)")
    case .output(let text):
      #expect(outcome.outputText.contains(text), "\(outcome.errorText)")
    case .kept(let name):
      let names = try FileManager.default.contentsOfDirectory(
        atPath: binary.home + "/conversations")
      #expect(names.contains { $0.hasPrefix(name) }, "\(names)")
    case .errors(let text):
      #expect(text.isEmpty ? outcome.errorText.isEmpty : outcome.errorText.contains(text))
    }
  }

  @Test func everyFlagHasACase() throws {
    let tested = Set(
      Self.cases.flatMap(\.arguments).map { argument in
        let name = argument.prefix { $0 != "=" }
        return argument.hasPrefix("--") ? String(name) : String(argument.prefix(2))
      })
    let binary = try BuiltBinary()
    for command in BuiltBinary.commands {
      let page = try binary.run("help", command).outputText
      for line in page.split(separator: "\n") where line.hasPrefix("  ") {
        let cell = line.drop { $0 == " " }
        guard cell.hasPrefix("-"), line.prefix(7).contains("-") else { continue }
        for name in cell.split(whereSeparator: { " ,".contains($0) }).prefix(2)
        where name.hasPrefix("-") {
          #expect(tested.contains(String(name)), "\(name) of \(command) has no case")
        }
      }
    }
  }

  @Test func stopTextsCutTheAnswer() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["one two three"]]}"#)
    #expect(try binary.run("run", "--stop", " two", "x").outputText == "one\n")
  }

  @Test func aFlagMayComeBeforeTheCommand() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["one two three"]]}"#)
    #expect(try binary.run("--quiet", "run", "x").outputText == "one two three\n")
    #expect(try binary.run("--quiet", "a prompt").outputText == "one two three\n")
  }
}
