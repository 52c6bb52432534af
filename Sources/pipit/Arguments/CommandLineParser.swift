import ModelLibrary

/// A command line taken apart, before it is known which command it is for.
struct ParsedLine: Sendable {
  /// A flag as it was given.
  struct Occurrence: Sendable {
    let flag: Flag
    let spelling: String
    let value: String?
  }

  /// What is not a flag.
  ///
  /// After `--` everything is, and `-` has no meaning there.
  struct Positional: Sendable, Equatable {
    let text: String
    let isLiteral: Bool
  }

  var occurrences: [Occurrence] = []
  var positionals: [Positional] = []
}

extension ParsedLine {
  /// Takes arguments apart: `--flag value`, `--flag=value`, `-n 5`, `-n5`, `-n=5`, `--` ends flags.
  init(_ arguments: [String], flags: [Flag] = Flag.all) throws(ArgumentError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        positionals += rest.map { Positional(text: $0, isLiteral: true) }
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        positionals.append(Positional(text: argument, isLiteral: false))
        continue
      }
      let (spelling, attached) = Self.split(argument)
      guard let flag = flags.first(where: { $0.names.contains(spelling) }) else {
        // Another command's flag would be refused next.
        throw .unknownFlag(
          spelling, nearest: nearestFlag(to: spelling, in: Command.likely(arguments).flags))
      }
      switch flag.action {
      case .toggle:
        if let attached { throw .unexpectedValue(flag: spelling, value: attached) }
        occurrences.append(Occurrence(flag: flag, spelling: spelling, value: nil))
      case .value(let placeholder, _):
        guard let value = attached ?? Self.popValue(&rest, flags: flags) else {
          throw .missingValue(flag: spelling, placeholder: placeholder)
        }
        occurrences.append(Occurrence(flag: flag, spelling: spelling, value: value))
      }
    }
  }

  /// `--name=value`, `-xvalue` and `-x=value` into a name and a value.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    if argument.hasPrefix("--") {
      guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
      return (
        String(argument[..<equals]), String(argument[argument.index(after: equals)...])
      )
    }
    let name = String(argument.prefix(2))
    var value = argument.dropFirst(2)
    if value.isEmpty { return (name, nil) }
    if value.first == "=" { value.removeFirst() }
    return (name, String(value))
  }

  /// The next argument as a value; nil when it is itself a flag (`--stop=--json` says otherwise).
  private static func popValue(
    _ rest: inout ArraySlice<String>, flags: [Flag]
  ) -> String? {
    guard let next = rest.first else { return nil }
    if next == "--" { return nil }
    if next.hasPrefix("--") || (next.count == 2 && next.hasPrefix("-")) {
      let (name, _) = split(next)
      if flags.contains(where: { $0.names.contains(name) }) { return nil }
    }
    return rest.popFirst()
  }

  /// What is wanted instead of the command: its help, or the version.
  enum Request: Sendable { case help, version }

  var request: Request? {
    for occurrence in occurrences {
      if occurrence.flag.name == "--help" { return .help }
      if occurrence.flag.name == "--version" { return .version }
    }
    return nil
  }

  /// The options that the flags amount to, when a command takes them all.
  func options(for command: Command) throws(ArgumentError) -> Options {
    var options = Options()
    for occurrence in occurrences {
      let flag = occurrence.flag
      guard command.flags.contains(where: { $0.name == flag.name }) else {
        throw .flagNotTaken(flag: occurrence.spelling, command: command.name)
      }
      if let other = occurrences.first(where: { $0.flag.excludes == flag.name }) {
        throw .conflictingFlags(flag.name, other.flag.name)
      }
      switch (flag.action, occurrence.value) {
      case (.toggle(let set), _):
        set(&options)
      case (.value(_, let set), let value?):
        do throws(ValueProblem) {
          try set(value, &options)
        } catch {
          throw .badValue(flag: occurrence.spelling, value: value, error)
        }
      case (.value(let placeholder, _), nil):
        throw .missingValue(flag: occurrence.spelling, placeholder: placeholder)
      }
    }
    return options
  }
}

/// The flag that an unknown one most likely meant.
///
/// A single letter is near to nothing.
private func nearestFlag(to spelling: String, in flags: [Flag]) -> String? {
  guard spelling.hasPrefix("--") else { return nil }
  let names = flags.flatMap(\.names).filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
  return nearestName(to: String(spelling.dropFirst(2)), in: names).map { "--" + $0 }
}
