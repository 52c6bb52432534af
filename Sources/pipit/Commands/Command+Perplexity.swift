import FoundationEssentials
import JSON
import Inference
import ModelLibrary

extension Command {
  static let perplexity = Command(
    name: "perplexity",
    summary: "measure how well a model predicts a text",
    usage: ["perplexity [MODEL] FILE [OPTIONS]"],
    discussion: [
      """
      Perplexity as llama.cpp defines it, so that the figures can be compared: the text is cut \
      into chunks of 512 tokens (-c sets another length), each read from an empty context, and \
      the tokens of its second half are predicted. Lower is better. What does not fill a chunk \
      is dropped, and the text has to fill two. A FILE of - is standard input.
      """
    ],
    examples: [
      "pipit perplexity smollm2 /usr/share/common-licenses/GPL-3",
      "pipit perplexity smollm2 text.txt --backend blas --json",
    ],
    flags: Flag.model + Flag.named("--json") + Flag.everywhere,
    operand: .model,
    run: { invocation in
      try invocation.refuseArguments(after: 2)
      let words = invocation.arguments
      guard let path = words.last?.text else {
        throw ArgumentError.missingArgument(command: "perplexity", placeholder: "a FILE of text")
      }
      let model = try invocation.chosenModel(words.count == 2 ? words[0].text : nil)
      if model == nil, invocation.isModel(path) {
        throw ArgumentError.missingArgument(
          command: "perplexity", placeholder: "a FILE of text after the model \(quoted(path))")
      }
      let text = try PerplexityText.read(path)
      let options = invocation.options
      var reference = try invocation.modelReference(model)
      let chunkLength = options.context ?? PerplexityPlan.usualChunkLength
      reference.options.contextLength = chunkLength
      let run = PerplexityRun(console: invocation.console)
      let result = try await run.measure(
        text, reference, chunkLength: chunkLength,
        budget: invocation.memoryBudget)
      switch options.form {
      case .json:
        try invocation.console.write(result.json(model: reference, file: path).text + "\n")
      default:
        try invocation.console.writeWords(result.line + "\n")
        invocation.console.note(result.remark)
      }
      return .done
    })
}

extension Invocation {
  /// Whether a word that may be a file of text names a model instead.
  fileprivate func isModel(_ word: String) -> Bool {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder) else {
      return (try? library.installed(word)) != nil
    }
    return isFolder || word.lowercased().hasSuffix(".gguf")
  }
}
