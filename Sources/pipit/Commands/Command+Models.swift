import JSON
import ModelLibrary

extension Command {
  static let models = Command(
    name: "models",
    summary: "list the installed models, or choose the default one",
    usage: ["models [list] [--json]", "models path [NAME]", "models default [NAME]"],
    discussion: [
      """
      'list' shows what is installed. 'path' prints the file of a model, or without a name the \
      folder that the models are in. 'default' sets the model that is used without -m, or \
      without a name prints it.
      """
    ],
    examples: ["pipit models default smollm2", "ls -l \"$(pipit models path smollm2)\""],
    flags: Flag.named("--json") + Flag.everywhere,
    words: ["list", "path", "default"],
    run: { invocation in
      let action = invocation.arguments.first?.text ?? "list"
      switch action {
      case "list": return try list(invocation)
      case "path": return try path(invocation)
      case "default": return try setDefault(invocation)
      default:
        throw ArgumentError.unknownSubcommand(
          command: "models", action,
          nearest: nearestName(to: action, in: ["list", "path", "default"]))
      }
    })

  private static func list(_ invocation: Invocation) throws -> ExitCode {
    try invocation.refuseArguments(after: 1)
    let models = invocation.library.installed()
    let chosen = try invocation.library.defaultName()
    let console = invocation.console
    if invocation.options.form == .json {
      let rows = models.map { model in
        JSONValue.members([
          ("name", .string(model.name)), ("path", .string(model.path)),
          ("bytes", .integer(model.byteCount)), ("form", .string(model.form.rawValue)),
          ("default", .bool(model.name == chosen)),
        ])
      }
      try console.write(JSONValue.array(rows).text + "\n")
      return .done
    }
    if models.isEmpty { console.note("No model is installed.") }
    let width = models.map(\.name.count).max() ?? 0
    for model in models {
      let name = model.name + String(repeating: " ", count: width - model.name.count)
      let mark = model.name == chosen ? "  default" : ""
      try console.write("\(name)  \(Figures.bytes(model.byteCount))\(mark)\n")
    }
    return .done
  }

  private static func path(_ invocation: Invocation) throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let library = invocation.library
    let name = invocation.arguments.dropFirst().first?.text
    let path = try name.map { try library.installed($0).path } ?? library.directories.models
    try invocation.console.write(path + "\n")
    return .done
  }

  private static func setDefault(_ invocation: Invocation) throws -> ExitCode {
    try invocation.refuseArguments(after: 2)
    let library = invocation.library
    guard let name = invocation.arguments.dropFirst().first?.text else {
      try invocation.console.write(try library.resolve(nil).name + "\n")
      return .done
    }
    let model = try library.setDefault(name)
    invocation.console.note("\(model.name) is now the default model.")
    return .done
  }
}
