extension ArgumentError {
  /// One sentence that says what was wrong and what would be right.
  var sentence: String {
    switch self {
    case .unknownFlag(let flag, let nearest?):
      "There is no option \(flag); did you mean \(nearest)?"
    case .unknownFlag(let flag, nil):
      "There is no option \(flag)."
    case .missingValue(let flag, let placeholder):
      "\(flag) needs a value: \(flag) \(placeholder)."
    case .unexpectedValue(let flag, let value):
      "\(flag) takes no value, but got \(quoted(value))."
    case .badValue(let flag, let value, let problem):
      "\(flag) takes \(problem.expectation), not \(quoted(value))."
    case .flagNotTaken(let flag, let command):
      "\(flag) is not an option of 'pipit \(command)'."
    case .conflictingFlags(let first, let second):
      "\(first) and \(second) exclude each other."
    case .unknownCommand(let word, let nearest?, let prompt):
      "There is no command \(quoted(word)); did you mean 'pipit \(nearest)'?"
        + (prompt.map { " To send it as a prompt, write \(Self.sending($0))" } ?? "")
    case .unknownCommand(let word, nil, let prompt?):
      "There is no command \(quoted(word)); to send it as a prompt, write \(Self.sending(prompt))"
    case .unknownCommand(let word, nil, nil):
      "There is no command \(quoted(word))."
    case .unknownSubcommand(let command, let word, let nearest?):
      "'pipit \(command)' does not know \(quoted(word)); did you mean '\(nearest)'?"
    case .unknownSubcommand(let command, let word, nil):
      "'pipit \(command)' does not know \(quoted(word))."
    case .missingArgument(let command, let placeholder):
      "'pipit \(command)' needs \(placeholder)."
    case .unexpectedArgument(let command, let argument):
      "'pipit \(command)' does not take \(quoted(argument))."
    case .twoModels(let argument, let flag):
      "Only one model can be named, not \(quoted(argument)) and with -m \(quoted(flag))."
    case .missingFlag(let command, let flag):
      "'pipit \(command)' needs \(flag)."
    case .badArgument(let command, let word, let expected):
      "'pipit \(command)' takes \(ValueProblem.notOneOf(expected).expectation), not \(quoted(word))."
    case .noPrompt:
      "There is no prompt; write one after 'pipit run', or send it to standard input."
    case .needsConsent(let command):
      "Nobody can be asked here; 'pipit \(command)' does it with --yes."
    case .badInput(.notAnArrayOfStrings):
      "With --batch standard input has to be a JSON array of strings."
    case .badInput(.notAnObject):
      "The input of 'pipit template' has to be a JSON object."
    case .badInput(.notATokenID(let word)):
      "Standard input has to hold token ids, but has \(quoted(word))."
    case .badInput(.noTemplate):
      "The model has no chat template; --template-file names one."
    case .binaryArgument(let number, let offset):
      "Argument \(number) is not UTF-8 text: byte \(offset) is invalid."
    case .binaryInput(.zeroByte(let offset)):
      "Standard input is not text: byte \(offset) is zero."
    case .binaryInput(.invalidUTF8(let offset)):
      "Standard input is not UTF-8 text: byte \(offset) is invalid."
    case .binaryFile(let path, .zeroByte(let offset)):
      "\(path) is not text: byte \(offset) is zero."
    case .binaryFile(let path, .invalidUTF8(let offset)):
      "\(path) is not UTF-8 text: byte \(offset) is invalid."
    }
  }
}

extension ArgumentError {
  /// The end of a sentence: the command that sends a prompt, to be copied as it is.
  private static func sending(_ prompt: String) -> String {
    let argument = shellQuoted(prompt)
    return argument == prompt ? "'pipit run \(prompt)'." : "pipit run \(argument)"
  }
}

/// A text as one word of a shell's.
func shellQuoted(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy {
    switch $0 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_./:@%+,".utf8.contains($0)
    }
  }
  return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}

extension ValueProblem {
  /// What would have been right: "takes …".
  var expectation: String {
    switch self {
    case .notAnInteger:
      "a whole number"
    case .notASeed:
      "a whole number from 0 to \(UInt64.max)"
    case .integerOutside(let range) where range.upperBound > 1 << 30:
      "a whole number of at least \(range.lowerBound)"
    case .integerOutside(let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .notANumber:
      "a number"
    case .numberOutside(let range):
      "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
    case .notOneOf(let choices) where choices.count == 2:
      choices.joined(separator: " or ")
    case .notOneOf(let choices):
      choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
    case .notAnOverride:
      "a pattern and a form, such as *.down_proj=6, lm_head=8:32 or *embed_tokens=none"
    case .notASize:
      "a size such as 8GB"
    case .notTokens:
      "token ids separated by commas, such as 1,2,3"
    case .empty:
      "a text that is not empty"
    }
  }
}

/// A piece of the command line as messages show it, cut when it is long.
func quoted(_ text: String) -> String {
  let limit = 60
  return text.count > limit ? "'\(text.prefix(limit))…'" : "'\(text)'"
}

private func plain(_ value: Double) -> String {
  value == value.rounded() ? String(Int(value)) : String(value)
}
