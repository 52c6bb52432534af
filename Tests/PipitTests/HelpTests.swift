import Foundation
import Testing

extension BuiltBinary {
  /// Every command, as the program's own completion has them.
  static let commands = commandWords.map(\.command)

  /// The words that a command's first argument is one of.
  func words(of command: String) throws -> [String] {
    Self.commandWords.first { $0.command == command }?.words ?? []
  }

  /// From `completions bash`: `command)`, and below it `words='…'`.
  private static let commandWords: [(command: String, words: [String])] = {
    let script = (try? BuiltBinary().run("completions", "bash").outputText) ?? ""
    var found: [(command: String, words: [String])] = []
    var last: String?
    for line in script.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
      if line.hasSuffix(")"), line.dropLast().allSatisfy(\.isLetter) {
        last = String(line.dropLast())
      }
      guard line.hasPrefix("words='"), let command = last else { continue }
      found.append((command, line.dropFirst(7).dropLast().split(separator: " ").map(String.init)))
      last = nil
    }
    return found
  }()
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

  /// What is tested for every command is tested for none if this list cannot be read.
  @Test func everyCommandIsKnownHere() throws {
    let pages = URL(filePath: Bundle.module.bundlePath).appending(path: "Fixtures/help")
    let names = try FileManager.default.contentsOfDirectory(atPath: pages.path)
      .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
    #expect(Set(BuiltBinary.commands + ["pipit"]) == Set(names))
    #expect(BuiltBinary.commands.count > 10)
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
    #expect(BuiltBinary.commands.count >= 15)
    for command in BuiltBinary.commands { #expect(overview.contains("\n  \(command) ")) }
  }
}
