import Conversations
import Inference
import ModelLibrary

/// Every flag of every command, in the order of the help. A name means the same everywhere.
extension Flag {
  static let all: [Flag] =
    raw + library + convert + bench + fit + thread + model + conversation + sampling + thinking
    + output

  static let model: [Flag] = [
    .text(
      "-m", "--model", placeholder: "MODEL", section: .model,
      "installed name, or path of a GGUF file (default: the one 'pipit models default' set)",
      set: nonEmpty { $1.model = $0 }),
    .integer(
      "-c", "--context", in: 1...maxCount, section: .model,
      "context window in tokens (default: the model's, as memory allows)",
      set: { $1.context = $0 }),
    .text(
      "-t", "--threads", placeholder: "N|auto", section: .model,
      "worker threads (default: auto, the physical cores this process may use)",
      set: { (text, options) throws(ValueProblem) in
        options.threads =
          text == "auto" ? .automatic : .count(try parseInteger(text, in: 1...1024))
      }),
    .choice(
      "--kv-bits", placeholder: "BITS", of: KeyValueBits.self, section: .model,
      "of cached keys and values: 32, 16, 8 or 4, or each of its own: 8/4 or 4/8 (default: 16)",
      set: { $1.keyValueBits = $0 }),
    .choice(
      "--backend", placeholder: "simd|blas", of: BackendChoice.self, section: .model,
      "matrix arithmetic (default: simd; blas is the slow float32 reference)",
      set: { $1.backend = $0 }),
    .toggle(
      "--force", section: .model,
      "try even when the memory estimate says it will not fit",
      set: { $0.force = true }),
    .toggle(
      "--offline", section: .model,
      "never use the network",
      set: { $0.offline = true }),
  ]

  static let conversation: [Flag] = [
    .choice(
      "--overflow", placeholder: "refuse|drop-oldest", of: Overflow.self, section: .model,
      "what to do when a turn outgrows the context (default: refuse)",
      set: { $1.overflow = $0 })
  ]

  static let sampling: [Flag] = [
    .text(
      "-s", "--system", placeholder: "TEXT", section: .sampling,
      "system prompt",
      set: { $1.system = $0 }),
    .integer(
      "-n", "--max-tokens", in: 1...maxCount, section: .sampling,
      "most tokens to generate (default: what the context holds; bench: 128)",
      set: { $1.sampling.maxTokens = $0 }),
    .number(
      "--temperature", in: 0...100, section: .sampling,
      "randomness; 0 always takes the likeliest token (default: the model's, else 0.7)",
      set: { $1.sampling.temperature = $0 }),
    .integer(
      "--top-k", in: 0...maxCount, section: .sampling,
      "only the K likeliest tokens; 0 is off (default: the model's, else 20)",
      set: { $1.sampling.topK = $0 }),
    .number(
      "--top-p", in: 0...1, section: .sampling,
      "only the likeliest tokens that sum to X (default: the model's, else 0.95)",
      set: { $1.sampling.topP = max($0, .leastNormalMagnitude) }),
    .number(
      "--min-p", in: 0...1, section: .sampling,
      "only tokens at least X times as likely as the likeliest (default: 0)",
      set: { $1.sampling.minP = $0 }),
    .number(
      "--repeat-penalty", in: 0.01...100, section: .sampling,
      "divides the chance of what was said; 1 is off (default: the model's, else 1.05; 1 with "
        + "--temperature 0)",
      set: { $1.sampling.repeatPenalty = $0 }),
    .number(
      "--presence-penalty", in: -100...100, section: .sampling,
      "taken off every token already said (default: 0)",
      set: { $1.sampling.presencePenalty = $0 }),
    .number(
      "--frequency-penalty", in: -100...100, section: .sampling,
      "taken off once for each time a token was said (default: 0)",
      set: { $1.sampling.frequencyPenalty = $0 }),
    .text(
      "--seed", placeholder: "N", section: .sampling,
      "makes a run repeatable (default: a new one each run)",
      set: { (text, options) throws(ValueProblem) in
        guard let seed = UInt64(text) else { throw .notASeed }
        options.sampling.seed = seed
      }),
    .choice(
      "--draft", placeholder: "auto|on|off", of: Drafting.self, section: .sampling,
      "guess the next tokens from the conversation; the answer is the same (default: auto, "
        + "where it is faster)",
      set: { $1.drafting = $0 }),
    .text(
      "--stop", placeholder: "TEXT", section: .sampling,
      "end the answer before this text; may be given more than once",
      set: nonEmpty { $1.sampling.stop.append($0) }),
  ]

  static let thinking: [Flag] = [
    .toggle(
      "--think", section: .thinking, excludes: "--no-think",
      "let the model think first; its thoughts go to standard error",
      set: { $0.think = true }),
    .toggle(
      "--no-think", section: .thinking, excludes: "--think",
      "answer at once (default for models that can switch)",
      set: { $0.think = false }),
    .integer(
      "--think-budget", in: 0...maxCount, section: .thinking,
      "most tokens to think before the answer begins",
      set: { $1.thinkBudget = $0 }),
  ]

  static let library: [Flag] = [
    .toggle(
      "--yes", section: .command,
      "do it without asking",
      set: { $0.library.isAgreed = true }),
    .toggle(
      "--installed", section: .command,
      "list only what is installed",
      set: { $0.library.isInstalledOnly = true }),
    .text(
      "--name", placeholder: "NAME", section: .command,
      "what an added model is to be called (default: by its file)",
      set: nonEmpty { $1.library.name = $0 }),
    .toggle(
      "--hard-link", section: .command, excludes: "--copy",
      "add by hard links: the files may be deleted elsewhere",
      set: { $0.library.addMethod = .hardLink }),
    .toggle(
      "--copy", section: .command, excludes: "--hard-link",
      "add as a copy",
      set: { $0.library.addMethod = .copy }),
    .toggle(
      "--undo", section: .command,
      "bring back a model that was removed",
      set: { $0.library.isUndone = true }),
  ]

  static let output: [Flag] = [
    .toggle(
      "--json", section: .output,
      "one JSON object instead of text",
      set: { $0.form = .json }),
    .toggle(
      "--ndjson", section: .output, excludes: "--json",
      "one JSON object a line for each event, as it happens",
      set: { $0.form = .ndjson }),
    .toggle(
      "--stats", section: .output,
      "statistics on standard error, off a terminal too",
      set: { $0.statistics = true }),
    .toggle(
      "--quiet", section: .output,
      "nothing on standard error but errors",
      set: { $0.quiet = true }),
    .toggle(
      "--raw", section: .output,
      "the model's text as it is: no Markdown layout on a terminal",
      set: { $0.isRawText = true }),
    .choice(
      "--color", placeholder: "WHEN", of: ColorChoice.self, section: .output,
      "auto, always or never (default: auto; NO_COLOR is respected)",
      set: { $1.color = $0 }),
    .toggle(
      "-h", "--help", section: .output,
      "this page",
      set: { _ in }),
    .toggle(
      "-V", "--version", section: .output,
      "the version",
      set: { _ in }),
  ]

  static let thread: [Flag] = [
    .toggle(
      "--save", section: .command,
      "keep this as a conversation ('pipit history' lists them)",
      set: { $0.conversation.isSaved = true }),
    .toggle(
      "--continue", section: .command, excludes: "--conversation",
      "go on with the last conversation",
      set: { $0.conversation.continuesLast = true }),
    .text(
      "--conversation", placeholder: "ID", section: .command,
      "go on with this conversation; the beginning of its id will do",
      set: nonEmpty { $1.conversation.identifier = $0 }),
    .integer(
      "--limit", in: 1...maxCount, section: .command,
      "most conversations to show (default: list all, search 20)",
      set: { $1.conversation.limit = $0 }),
    .toggle(
      "--trash", section: .command,
      "what is in the trash",
      set: { $0.conversation.isInTrash = true }),
  ]

  static let bench: [Flag] = [
    .integer(
      "-p", "--n-prompt", in: 1...maxCount, section: .command,
      "tokens of prompt to read (default: 512)",
      set: { $1.bench.promptTokens = $0 }),
    .integer(
      "-r", "--repetitions", in: 1...1000, section: .command,
      "times each test is run (default: 3)",
      set: { $1.bench.repetitions = $0 }),
    .integer(
      "-d", "--n-depth", in: 0...maxCount, section: .command,
      "tokens already in the context before each test (default: 0)",
      set: { $1.bench.depth = $0 }),
    .toggle(
      "--csv", section: .command, excludes: "--json",
      "comma-separated values with llama-bench's column names",
      set: { $0.form = .csv }),
    .toggle(
      "--first-run", section: .command, excludes: "--csv",
      "a short look at this machine with the bundled model; any key skips it",
      set: { $0.bench.isFirstRun = true }),
  ]

  static let fit: [Flag] = [
    .text(
      "--ram", placeholder: "SIZE", section: .command,
      "answer for a machine with so much memory, such as 8GB",
      set: { (text, options) throws(ValueProblem) in
        options.machineMemory = try parseByteCount(text)
      })
  ]

  static let convert: [Flag] = [
    .choice(
      "--bits", placeholder: "BITS", of: CodeWidth.self, section: .command,
      "of each weight: 1, 2, 3, 4, 5, 6 or 8 (default: 4)",
      set: { $1.convert.bits = Int($0.rawValue) }),
    .choice(
      "--group", placeholder: "N", of: GroupSize.self, section: .command,
      "weights that share a scale: 32, 64 or 128 (default: 64, or 128 for --ternary)",
      set: { $1.convert.group = Int($0.rawValue) }),
    .text(
      "--override", placeholder: "PATTERN=FORM", section: .command,
      "another form for some layers: BITS, BITS:GROUP or none; may be given more than once",
      set: { (text, options) throws(ValueProblem) in
        options.convert.overrides.append(try ConvertOptions.LayerOverride(text))
      }),
    .toggle(
      "--ternary", section: .command, excludes: "--bits",
      "the weights are −d, 0 and +d already: keep them exactly, in 2 bits",
      set: { $0.convert.isTernary = true }),
    .text(
      "--text", placeholder: "FILE", section: .command,
      "tell the perplexity of this text before and after",
      set: nonEmpty { $1.convert.text = $0 }),
  ]

  static let raw: [Flag] = [
    .toggle(
      "--no-stdin", section: .command,
      "do not read standard input",
      set: { $0.readsStandardInput = false }),
    .text(
      "--tokens", placeholder: "IDS", section: .command,
      "token ids, separated by commas",
      set: { (text, options) throws(ValueProblem) in
        options.raw.tokens = try parseTokens(text)
      }),
    .text(
      "--out", placeholder: "FILE", section: .command,
      "where the logits are written: float32, little-endian, position by position",
      set: nonEmpty { $1.raw.out = $0 }),
    .integer(
      "--chunk", in: 1...maxCount, section: .command,
      "tokens per forward pass (default: the engine's)",
      set: { $1.raw.chunk = $0 }),
    .toggle(
      "--special", section: .command, excludes: "--no-special",
      "control tokens in the text become their ids (default)",
      set: { $0.raw.special = true }),
    .toggle(
      "--no-special", section: .command, excludes: "--special",
      "control tokens in the text stay text, as in what a user types",
      set: { $0.raw.special = false }),
    .toggle(
      "--batch", section: .command,
      "standard input is a JSON array of strings, the output one of id arrays",
      set: { $0.raw.batch = true }),
    .text(
      "--template-file", placeholder: "FILE", section: .command,
      "a Jinja template to use instead of a model's",
      set: nonEmpty { $1.raw.templateFile = $0 }),
    .text(
      "--input", placeholder: "FILE", section: .command,
      "JSON object of messages, tools and template arguments; - is standard input",
      set: nonEmpty { $1.raw.input = $0 }),
  ]

  /// Large enough for any context and small enough that sums cannot overflow.
  private static let maxCount = 1 << 40
}

private func nonEmpty(
  _ set: @escaping @Sendable (String, inout Options) -> Void
) -> @Sendable (String, inout Options) throws(ValueProblem) -> Void {
  { (text, options) throws(ValueProblem) in
    guard !text.isEmpty else { throw .empty }
    set(text, &options)
  }
}

private func parseTokens(_ text: String) throws(ValueProblem) -> [Int32] {
  var tokens: [Int32] = []
  for part in text.split(separator: ",", omittingEmptySubsequences: false) {
    var digits = part
    while digits.first == " " { digits.removeFirst() }
    guard let token = Int32(digits), token >= 0 else { throw .notTokens }
    tokens.append(token)
  }
  return tokens
}

/// A size in decimal units; without a unit it is in GB, as memory is sold.
private func parseByteCount(_ text: String) throws(ValueProblem) -> Int {
  let units: [(String, Double)] = [
    ("KIB", 1024), ("MIB", 1_048_576), ("GIB", 1_073_741_824), ("TIB", 1_099_511_627_776),
    ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("G", 1e9), ("M", 1e6), ("", 1e9),
  ]
  let upper = text.uppercased()
  guard let (unit, factor) = units.first(where: { upper.hasSuffix($0.0) }),
    let number = Double(upper.dropLast(unit.count).trimmed), number > 0, number * factor < 1e18
  else { throw .notASize }
  return Int(number * factor)
}
