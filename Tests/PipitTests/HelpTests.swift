import Foundation
import Testing

extension BuiltBinary {
  static let commands = [
    "run", "chat", "history", "models", "convert", "fit", "inspect", "bench", "perplexity",
    "tokenize", "detokenize", "template", "logits", "completions", "help", "version",
  ]
}

@Suite struct HelpTests {
  /// The pages as they are; `PIPIT_WRITE_SNAPSHOTS=1` writes them anew for review.
  @Test(arguments: [nil] + BuiltBinary.commands.map { $0 })
  func pageIsTheSnapshot(_ command: String?) throws {
    let page = try BuiltBinary().run(["help"] + [command].compactMap { $0 })
    #expect(page.code == 0)
    #expect(page.errors.isEmpty)
    for line in page.outputText.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
    let name = "help/\(command ?? "pipit").txt"
    if ProcessInfo.processInfo.environment["PIPIT_WRITE_SNAPSHOTS"] != nil {
      let source = URL(filePath: #filePath).deletingLastPathComponent()
      try page.output.write(to: source.appending(path: "Fixtures/" + name))
    } else {
      let fixtures = URL(filePath: Bundle.module.bundlePath).appending(path: "Fixtures")
      let expected = try String(contentsOf: fixtures.appending(path: name), encoding: .utf8)
      #expect(page.outputText == expected)
    }
  }

  @Test func theSamePageComesFromTheFlag() throws {
    let binary = try BuiltBinary()
    for command in BuiltBinary.commands {
      let page = try binary.run("help", command).outputText
      #expect(try binary.run(command, "--help").outputText == page)
    }
    #expect(try binary.run("--help").outputText == binary.run("help").outputText)
  }

  @Test func theOverviewListsEveryCommand() throws {
    let overview = try BuiltBinary().run("help").outputText
    for command in BuiltBinary.commands { #expect(overview.contains("\n  \(command) ")) }
  }
}
