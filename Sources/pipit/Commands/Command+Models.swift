import ModelLibrary

extension Command {
  static let models = Command(
    name: "models",
    summary: "list, get, check and remove models",
    usage: [
      "models [list] [--installed] [--json]",
      "models show NAME [--json]",
      "models pull NAME[:VARIANT] [--yes]",
      "models pull hf:OWNER/NAME[@REVISION][:TYPE] [--yes]",
      "models search WORDS… [--json]",
      "models add PATH [--name NAME] [--hard-link | --copy]",
      "models rm NAME | models rm --undo NAME",
      "models verify [NAME…] [--json]",
      "models gc [--yes] [--json]",
      "models path [NAME]",
      "models default [NAME]",
    ],
    discussion: [
      """
      'list' shows what is installed, what came with the program and the menu of what can be, with \
      how each fits this machine's memory. 'show' tells all about one.
      """,
      """
      'pull' brings a model of the menu, or any repository of the Hugging Face Hub with GGUF files \
      or an MLX checkpoint, also by the address of its page or of a file. It says what it will \
      fetch, and asks first (--yes does not). Ctrl-C pauses it; the same command goes on. Files are \
      checked against their SHA-256 before they are used, and files that are in the Hub's own cache \
      are used where they are. HF_TOKEN, HF_ENDPOINT and the usual proxy variables are heeded.
      """,
      """
      'search' looks on the Hub; what it finds nobody has tried here. 'add' makes a model of files \
      that you have, without copying them unless asked.
      """,
      """
      'rm' takes a model away and 'rm --undo' brings it back, until 'gc' frees the space. 'verify' \
      reads all files against their digests. 'path' prints the file of a model, or without a name \
      the folder that the models are in. 'default' sets the model that is used without -m, or \
      without a name prints it.
      """,
      """
      config.json in the folder of settings keeps what is chosen for good: "model" is what 'default' \
      sets, "thoughts" how a chat shows them ("fold", "show" or "hide", as /think does), and \
      "prepared_bytes" the most that prepared weights may take on the disk (0 keeps none).
      """,
    ],
    examples: [
      "pipit models pull smollm2-135m",
      "pipit models pull hf:unsloth/Qwen3-4B-GGUF:Q4_K_M",
      "pipit models add ~/Downloads/model.gguf --name mine",
      "ls -l \"$(pipit models path smollm2-135m)\"",
    ],
    flags: Flag.library + Flag.named("--json") + Flag.everywhere,
    words: ModelsAction.allCases.map(\.rawValue),
    following: Dictionary(
      uniqueKeysWithValues: ModelsAction.allCases.compactMap { action in
        action.operand.map { (action.rawValue, $0) }
      }),
    run: { invocation in
      let word = invocation.arguments.first?.text ?? ModelsAction.list.rawValue
      guard let action = ModelsAction(rawValue: word) else {
        throw ArgumentError.unknownSubcommand(
          command: "models", word,
          nearest: nearestName(to: word, in: ModelsAction.allCases.map(\.rawValue)))
      }
      return try await ModelsCommand(invocation)(action)
    })

  fileprivate enum ModelsAction: String, CaseIterable, Sendable {
    case list, show, pull, search, add, rm, verify, gc, path, `default`

    var operand: Operand? {
      switch self {
      case .list, .search, .gc: nil
      case .show, .pull: .menuModel
      case .add: .file
      case .rm, .verify, .path, .default: .model
      }
    }
  }
}

extension ModelsCommand {
  fileprivate func callAsFunction(_ action: Command.ModelsAction) async throws -> ExitCode {
    switch action {
    case .list: try list()
    case .show: try show()
    case .pull: try await pull()
    case .search: try await search()
    case .add: try await add()
    case .rm: try remove()
    case .verify: try await verify()
    case .gc: try collect()
    case .path: try path()
    case .default: try setDefault()
    }
  }
}
