/// Why a command line was not understood.
///
/// Worded in `Wording/ArgumentSentences.swift`.
enum ArgumentError: Error, Equatable {
  case unknownFlag(String, nearest: String?)
  case missingValue(flag: String, placeholder: String)
  case unexpectedValue(flag: String, value: String)
  case badValue(flag: String, value: String, ValueProblem)
  case flagNotTaken(flag: String, command: String)
  case conflictingFlags(String, String)
  /// `prompt` is what the words are if they are no command; nil where they can be none.
  case unknownCommand(String, nearest: String?, prompt: String?)
  case unknownSubcommand(command: String, String, nearest: String?)
  case missingArgument(command: String, placeholder: String)
  case unexpectedArgument(command: String, String)
  /// A model as an argument and another with -m.
  case twoModels(String, flag: String)
  case missingFlag(command: String, flag: String)
  case badArgument(command: String, String, expected: [String])
  case noPrompt
  /// Something is to be agreed to, and nobody can be asked.
  case needsConsent(command: String)
  case badInput(BadInput)
  /// An argument that is no text, by its number from 1.
  case binaryArgument(number: Int, offset: Int)
  case binaryInput(BinaryInput)
  case binaryFile(path: String, BinaryInput)
}

/// What is wrong with the value of a flag.
enum ValueProblem: Error, Equatable {
  case notAnInteger
  case integerOutside(ClosedRange<Int>)
  /// Not a whole number of so many bits, which has no sign.
  case notASeed
  case notANumber
  case numberOutside(ClosedRange<Double>)
  case notOneOf([String])
  case notTokens
  case notASize
  /// Not a pattern, an equals sign and a form of weights.
  case notAnOverride
  case empty
}

/// What is wrong with the input of a raw command.
enum BadInput: Equatable {
  case notAnArrayOfStrings
  case notAnObject
  case notATokenID(String)
  case noTemplate
}

/// What made standard input unreadable as text.
enum BinaryInput: Equatable {
  case zeroByte(offset: Int)
  case invalidUTF8(offset: Int)
}
