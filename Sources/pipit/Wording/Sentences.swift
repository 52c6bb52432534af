import Conversion
import ModelLibrary

/// What is said about an error: one plain sentence.
enum Sentence {
  static func of(_ error: any Error) -> String? {
    switch error {
    case is ReplyCutShort: nil
    case let error as ArgumentError: error.sentence
    case let error as SlashError: error.sentence
    case let error as AttachError: error.sentence
    case let error as InputError: error.sentence
    case let error as SystemError: error.sentence
    case let error as FileFailure: error.sentence
    case ConversionError.noSpace(let folder, let needed, let available):
      ConvertWords.noSpace(folder, needed: needed, available: available)
    case let error as any CustomStringConvertible: error.description
    default: "Something failed: \(error)."
    }
  }

  /// The line after a misunderstood command line.
  static func hint(_ command: Command?) -> String {
    "'pipit help\(command.map { " " + $0.name } ?? "")' tells more."
  }

  static let silentInput = """
    Waiting for standard input to end; --no-stdin answers the prompt without it.
    """
}

extension InputError {
  var sentence: String {
    switch self {
    case .tooLong(let path, let limit):
      "\(path ?? "Standard input") is longer than \(Figures.bytes(limit)), more than any context holds."
    }
  }
}

extension FileFailure {
  var sentence: String {
    switch error.operation {
    case .write: "\(path) could not be written: \(error.reason)."
    case .read: "\(path) could not be read: \(error.reason)."
    }
  }
}

extension SystemError {
  var sentence: String {
    switch operation {
    case .write: "The output could not be written: \(reason)."
    case .read: "The input could not be read: \(reason)."
    }
  }
}
