import Conversations
import Inference
import ModelLibrary

/// What the flags of one command line said; nil where they said nothing.
struct Options: Sendable {
  var model: String?
  var system: String?
  var context: Int?
  var threads: ThreadChoice?
  var keyValueBits: KeyValueBits?
  var backend: BackendChoice?
  var force = false
  var overflow: Overflow?
  /// Bytes of another machine's memory.
  var machineMemory: Int?
  var offline = false

  var sampling = SamplingOptions()
  var think: Bool?
  var thinkBudget: Int?
  var drafting: Drafting?

  var form = OutputForm.text
  var quiet = false
  var statistics = false
  var color = ColorChoice.automatic
  /// Whether text goes to a terminal as the model wrote it, without layout.
  var isRawText = false
  var readsStandardInput = true

  var conversation = ConversationOptions()
  var library = LibraryOptions()
  var convert = ConvertOptions()
  var bench = BenchOptions()
  var raw = RawOptions()
}

/// The flags about conversations that are kept.
struct ConversationOptions: Sendable {
  /// `--save`: keep this one.
  var isSaved = false
  /// `--continue`: go on with the last one.
  var continuesLast = false
  /// `--conversation`: go on with that one.
  var identifier: String?
  /// `--limit`: the most to list.
  var limit: Int?
  /// `--trash`: what is in the trash.
  var isInTrash = false
}

struct SamplingOptions: Sendable {
  var maxTokens: Int?
  var temperature: Double?
  var topK: Int?
  var topP: Double?
  var minP: Double?
  var repeatPenalty: Double?
  var presencePenalty: Double?
  var frequencyPenalty: Double?
  var seed: UInt64?
  var stop: [String] = []
}

/// The flags of `models`.
struct LibraryOptions: Sendable {
  /// `--yes`: nothing is asked.
  var isAgreed = false
  var isInstalledOnly = false
  /// What an added model is to be called.
  var name: String?
  var addMethod = AddMethod.inPlace
  var isUndone = false
}

struct BenchOptions: Sendable {
  var promptTokens: Int?
  var repetitions: Int?
  var depth: Int?
  var isFirstRun = false
}

/// The flags of the raw commands: `logits`, `tokenize`, `template`.
struct RawOptions: Sendable {
  var tokens: [Int32]?
  var out: String?
  var chunk: Int?
  var special: Bool?
  var batch = false
  var templateFile: String?
  var input: String?
}

enum ThreadChoice: Sendable, Equatable {
  case automatic
  case count(Int)
}

enum BackendChoice: String, Sendable, CaseIterable {
  case simd, blas
}

enum OutputForm: Sendable {
  case text, json, ndjson, csv
}

enum ColorChoice: String, Sendable, CaseIterable {
  case automatic = "auto"
  case always, never
}
