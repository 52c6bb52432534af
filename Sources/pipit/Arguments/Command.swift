/// One command: how it is called, what its help says, and what it does.
struct Command: Sendable {
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The forms it is called in, without `pipit`.
  let usage: [String]
  /// Paragraphs of its help page; wrapped when shown.
  let discussion: [String]
  /// Example lines, without `pipit`; shown as they are.
  var examples: [String] = []
  let flags: [Flag]
  /// The words that its first argument is one of, where it is one of some words.
  var words: [String] = []
  /// What follows such a word; nothing does that is not here.
  var following: [String: Operand] = [:]
  /// What its first argument is, where it is not one of some words.
  var operand: Operand?
  let run: @Sendable (Invocation) async throws -> ExitCode
}

/// What a command is called with.
struct Invocation: Sendable {
  let command: Command
  let options: Options
  let arguments: [ParsedLine.Positional]
  let console: Console
}

extension Command {
  static let all: [Command] = [
    .run, .chat, .history, .models, .convert, .fit, .inspect, .bench, .doctor,
    .perplexity, .tokenize,
    .detokenize,
    .template, .logits,
    .completions, .help, .version,
  ]

  static func named(_ name: String) -> Command? {
    all.first { $0.name == name }
  }
}

extension Command {
  /// The flags, each once.
  var distinctFlags: [Flag] {
    flags.enumerated().filter { index, flag in
      !flags[..<index].contains { $0.name == flag.name }
    }.map(\.element)
  }
}

extension Flag {
  /// The flags with these long names, in the order of the table.
  static func named(_ names: String...) -> [Flag] {
    all.filter { names.contains($0.name) }
  }

  /// What every command takes.
  static let everywhere = named("--quiet", "--color", "--offline", "--help", "--version")
}

extension Invocation {
  /// Refuses arguments beyond the first `count`.
  func refuseArguments(after count: Int) throws(ArgumentError) {
    if arguments.count > count {
      throw .unexpectedArgument(command: command.name, arguments[count].text)
    }
  }

  /// The argument at `index`, which must be there.
  func argument(_ index: Int, _ placeholder: String) throws(ArgumentError) -> String {
    guard index < arguments.count else {
      throw .missingArgument(command: command.name, placeholder: placeholder)
    }
    return arguments[index].text
  }
}
