/// Help pages, at most 80 columns wide.
enum HelpText {
  static let width = 80
  private static let flagColumn = 30

  /// The page of `pipit help`.
  static func overview() -> String {
    var lines = [
      "pipit: chat with open-weight language models on this machine's CPU", "", "Usage:",
      "  pipit                         chat, on a terminal",
      "  pipit \"a prompt\"              one answer, then exit",
      "  … | pipit \"a prompt\"          the same, with text to read first",
      "  pipit COMMAND [OPTIONS]", "", "Commands:",
    ]
    for command in Command.all {
      lines += row("  " + command.name, command.summary, column: 16)
    }
    lines += [
      "", "'pipit help COMMAND' tells about one. A single word is always taken for a",
      "command, and so is a first word with one letter missing or two swapped ('modles",
      "list'); 'pipit run' sends any words as a prompt.",
    ]
    lines += ["", "Exit status:"] + exitStatus
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of one command.
  static func page(_ command: Command) -> String {
    var lines = ["pipit \(command.name): \(command.summary)", "", "Usage:"]
    lines += command.usage.map { "  pipit " + $0 }
    for paragraph in command.discussion {
      lines += [""] + wrap(paragraph, width: width)
    }
    if !command.examples.isEmpty {
      lines += ["", "Examples:"] + command.examples.map { "  " + $0 }
    }
    for section in Flag.Section.allCases {
      let flags = command.distinctFlags.filter { $0.section == section }
      if flags.isEmpty { continue }
      lines += ["", section.rawValue + ":"]
      for flag in flags {
        lines += row("  " + signature(of: flag), flag.help, column: flagColumn)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func signature(of flag: Flag) -> String {
    let names = (flag.names.count == 1 ? "    " : "") + flag.names.joined(separator: ", ")
    return flag.placeholder.map { names + " " + $0 } ?? names
  }

  /// A left cell and a wrapped right cell; a left cell that is too long gets a line of its own.
  private static func row(_ left: String, _ right: String, column: Int) -> [String] {
    let padding = String(repeating: " ", count: column)
    var lines = wrap(right, width: width - column).map { padding + $0 }
    if left.count + 2 > column { return [left] + lines }
    if lines.isEmpty { return [left] }
    lines[0] = left + padding.dropFirst(left.count) + lines[0].dropFirst(column)
    return lines
  }

  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static let exitStatus = [
    "  0  done                       5  longer than the context window",
    "  1  failed                     6  a file is invalid",
    "  2  not understood             7  network",
    "  3  model not installed      130  interrupted (Ctrl-C)",
    "  4  not enough memory        143  terminated",
  ]
}
