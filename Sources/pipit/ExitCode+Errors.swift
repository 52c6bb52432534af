import Inference
import ModelLibrary
import Templates
import Tokenizers
import Weights

extension ExitCode {
  /// The code for an error: the closed list of what each kind ends with; all else has failed.
  init(for error: any Error) {
    switch error {
    case is ArgumentError: self = .usage
    case is SlashError: self = .usage
    case let error as ReplyCutShort: self = error.code
    case is InputError: self = .contextExceeded
    case let error as SystemError: self = error.isClosedPipe ? .done : .failed
    case MemoryRefusal.context: self = .contextExceeded
    case MemoryRefusal.memory: self = .memoryRefused
    case let error as LibraryError: self = ExitCode(for: error)
    default: self = .failed
    }
  }

  private init(for error: LibraryError) {
    switch error {
    case .noSuchFile, .notInstalled, .nothingInstalled, .severalInstalled, .defaultMissing:
      self = .modelNotInstalled
    case .notAModel, .severalFiles, .invalidConfig: self = .fileInvalid
    case .cannotWrite: self = .failed
    }
  }

  /// The code for the end of a reply that no signal asked for.
  init(for reason: StopReason) {
    switch reason {
    case .endOfTurn, .length, .stopString, .loop, .heat: self = .done
    case .cancelled: self = .interrupted
    case .memory: self = .memoryRefused
    case .error: self = .failed
    }
  }
}
