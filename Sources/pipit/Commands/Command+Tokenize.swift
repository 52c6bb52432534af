import Inference
import Templates
import Tokenizers

extension Command {
  static let tokenize = Command(
    name: "tokenize",
    summary: "print the token ids of a text",
    usage: ["tokenize [MODEL] [--special | --no-special] [--batch]"],
    discussion: [
      """
      The text is standard input to its last byte, the final newline included. The ids are \
      printed on one line, separated by spaces. With --batch the input is a JSON array of \
      strings and the output a JSON array of arrays of ids.
      """
    ],
    examples: ["printf 'Hello' | pipit tokenize smollm2"],
    flags: Flag.named("--special", "--no-special", "--batch", "--model") + Flag.everywhere,
    operand: .model,
    run: { invocation in
      let model = try invocation.openText()
      let isMatching = invocation.options.raw.special ?? true
      let bytes = try FileFailure.read("-")
      if invocation.options.raw.batch {
        let texts = try parseBatch(bytes)
        let rows = try texts.map { text in
          ids(try model.encode(text, matchingControl: isMatching))
        }
        try invocation.console.write("[" + rows.joined(separator: ", ") + "]\n")
      } else {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          _ = try StandardInput.text(bytes)
          return .usage
        }
        let tokens = try model.encode(text, matchingControl: isMatching)
        try invocation.console.write(tokens.map(String.init).joined(separator: " ") + "\n")
      }
      return .done
    })

  private static func ids(_ tokens: [TokenID]) -> String {
    "[" + tokens.map(String.init).joined(separator: ", ") + "]"
  }

  /// A JSON array of strings.
  private static func parseBatch(_ bytes: [UInt8]) throws -> [String] {
    guard case .array(let array) = try TemplateValue(json: bytes) else {
      throw ArgumentError.badInput(.notAnArrayOfStrings)
    }
    return try array.elements.map { element in
      guard case .string(let text) = element else {
        throw ArgumentError.badInput(.notAnArrayOfStrings)
      }
      return text
    }
  }

  static let detokenize = Command(
    name: "detokenize",
    summary: "print the text of token ids",
    usage: ["detokenize [MODEL]"],
    discussion: [
      """
      Standard input holds the ids, separated by spaces, commas or newlines; brackets are \
      skipped. The text is printed to the byte, with nothing added.
      """
    ],
    examples: ["echo 19556 | pipit detokenize smollm2"],
    flags: Flag.named("--model") + Flag.everywhere,
    operand: .model,
    run: { invocation in
      let model = try invocation.openText()
      let text = String(decoding: try FileFailure.read("-"), as: UTF8.self)
      let words = text.split { $0.isWhitespace || ",[]".contains($0) }
      let tokens = try words.map { word in
        guard let token = TokenID(word), token >= 0 else {
          throw ArgumentError.badInput(.notATokenID(String(word)))
        }
        return token
      }
      let bytes = try model.bytes(of: tokens)
      if let text = String(validating: bytes, as: UTF8.self) {
        try invocation.console.write(text)
      } else {
        try Descriptor.output.write(bytes)
      }
      return .done
    })
}

extension Invocation {
  /// The model of a command that takes it as its argument, else as -m, else the default one.
  func requestedModel() throws -> ModelReference {
    try refuseArguments(after: 1)
    return try modelReference(try chosenModel(arguments.first?.text))
  }

  /// The model of an argument or of -m, of which only one may be given.
  ///
  /// - Throws: `ArgumentError.twoModels`.
  func chosenModel(_ argument: String?) throws(ArgumentError) -> String? {
    if let argument, let flag = options.model { throw .twoModels(argument, flag: flag) }
    return argument ?? options.model
  }

  func openText() throws -> any TextModel {
    try Engines.openText(requestedModel())
  }
}
