import JSON
import Conversations
import Conversion
import Glibc
import Inference
import Kernels
import ModelLibrary
import Templates
import Tokenizers
import Transformers
import Weights

extension ExitCode {
  /// The code for an error: the closed list of what each kind ends with; all else has failed.
  init(for error: any Error) {
    switch error {
    case is ArgumentError, is SlashError, is JSONError: self = .usage
    case EngineError.unknownToken, is InstructionSetError, is PerplexityError: self = .usage
    case let error as ReplyCutShort: self = error.code
    case is InputError, MemoryRefusal.context, MemoryRefusal.modelContext, AttachError.tooLong,
      BenchFailure.tooLong:
      self = .contextExceeded
    case AttachError.notText: self = .fileInvalid
    case is MemoryRefusal, MatrixError.outOfMemory: self = .memoryRefused
    case let error as SystemError: self = error.isClosedPipe ? .done : .failed
    case let error as LibraryError: self = ExitCode(for: error)
    case let error as ConversationError: self = ExitCode(for: error)
    case let error as ConversionError: self = ExitCode(for: error)
    case let error as NetworkError: self = ExitCode(for: error)
    case let error as WeightsError: self = ExitCode(for: error)
    case let error as TemplateError: self = ExitCode(for: error)
    case let error as ModelError: self = ExitCode(for: error)
    case is TokenizerError, is MatrixError, is ModelPackageError:
      self = .fileInvalid
    default: self = .failed
    }
  }

  private init(for error: LibraryError) {
    switch error {
    case .noSuchFile, .notInstalled, .notPulled, .onHub, .nothingInstalled, .severalInstalled,
      .defaultMissing, .notInCatalog, .noSuchVariant, .nothingToRestore, .bundledMissing:
      self = .modelNotInstalled
    case .notAModel, .severalFiles, .invalidConfig, .tooLong: self = .fileInvalid
    case .badName: self = .usage
    case .cannotWrite, .cannotRead, .nameTaken, .busy, .noHome: self = .failed
    }
  }

  private init(for error: NetworkError) {
    switch error {
    case .offline, .unreachable, .untrusted, .interrupted, .denied, .notFound, .rateLimited,
      .status, .badResponse, .redirects, .insecureRedirect, .tooLong, .pip:
      self = .network
    case .badURL, .badReference, .noSuchQuantisation: self = .usage
    case .size, .digest, .changed, .unsafeName, .notRunnable: self = .fileInvalid
    case .noSpace, .noLibrary: self = .failed
    case .paused: self = .interrupted
    }
  }

  private init(for error: ConversionError) {
    switch error {
    case .outputExists, .outputInSource, .unmatched, .partialGroup, .nothingToQuantise:
      self = .usage
    case .noSpace, .system, .busy: self = .failed
    case .notFinite, .overflow, .notTernary, .missingFile, .unsupported: self = .fileInvalid
    case .cancelled: self = .interrupted
    }
  }

  private init(for error: ConversationError) {
    switch error {
    case .notFound, .ambiguous, .emptyTitle, .notDeleted: self = .usage
    case .damaged, .newerVersion: self = .fileInvalid
    case .none, .inUse: self = .failed
    }
  }

  private init(for error: WeightsError) {
    switch error {
    // A limit on the address space, or too many mappings.
    case .system(_, .map, ENOMEM): self = .memoryRefused
    case .system: self = .failed
    case .invalid, .unsupported: self = .fileInvalid
    }
  }

  private init(for error: ModelError) {
    switch error {
    case .unknownArchitecture, .noArchitecture, .missingSetting, .setting, .missingTensor,
      .unknownTensor, .sameTensor, .shape:
      self = .fileInvalid
    case .tokenOutOfRange: self = .usage
    case .contextExceeded: self = .contextExceeded
    case .logitsNotFinite: self = .failed
    case .cancelled: self = .interrupted
    }
  }

  private init(for error: TemplateError) {
    switch error.kind {
    // The template is sound and refuses what it was given.
    case .raised: self = .failed
    case .syntax, .unsupported, .evaluation, .limit: self = .fileInvalid
    }
  }

  /// The code for the end of a reply that no signal asked for.
  init(for reason: StopReason) {
    switch reason {
    case .endOfTurn, .length, .context, .stopString, .loop, .heat: self = .done
    case .cancelled: self = .interrupted
    case .memory: self = .memoryRefused
    case .error: self = .failed
    }
  }
}
