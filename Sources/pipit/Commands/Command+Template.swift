import Templates

extension Command {
  static let template = Command(
    name: "template",
    summary: "print what a chat template makes of messages",
    usage: ["template [MODEL] --input FILE", "template --template-file FILE --input FILE"],
    discussion: [
      """
      The input is a JSON object with 'messages', and as needed 'tools', \
      'add_generation_prompt' and whatever else the template knows. The text is printed to the \
      byte, with nothing added.
      """
    ],
    examples: [
      "echo '{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}' |",
      "  pipit template smollm2 --input -",
    ],
    flags: Flag.named("--template-file", "--input", "--model") + Flag.everywhere,
    operand: .model,
    run: { invocation in
      guard let input = invocation.options.raw.input else {
        throw ArgumentError.missingFlag(command: "template", flag: "--input FILE")
      }
      var source: String?
      var variables = TemplateObject()
      if let path = invocation.options.raw.templateFile {
        try invocation.refuseArguments(after: 0)
        if invocation.options.model != nil {
          throw ArgumentError.conflictingFlags("--template-file", "--model")
        }
        let bytes = try FileFailure.read(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw ArgumentError.binaryFile(
            path: path, .invalidUTF8(offset: StandardInput.firstInvalidByte(bytes)))
        }
        source = text
      } else {
        let model = try invocation.openText()
        source = model.template
        for (name, value) in model.templateVariables { variables[name] = .string(value) }
      }
      guard let source else { throw ArgumentError.badInput(.noTemplate) }
      guard case .object(let given) = try TemplateValue(json: FileFailure.read(input)) else {
        throw ArgumentError.badInput(.notAnObject)
      }
      for (name, value) in given.pairs { variables[name] = value }
      let text = try ChatTemplate(source: source).render(variables, time: .now)
      try invocation.console.write(text)
      return .done
    })
}
