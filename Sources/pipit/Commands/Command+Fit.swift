import Inference
import JSON
import ModelLibrary

extension Command {
  static let fit = Command(
    name: "fit",
    summary: "tell which models fit this machine's memory",
    usage: ["fit [OPTIONS] [MODEL…]"],
    discussion: [
      """
      A row for each installed model and each of the menu: its weights, what it takes at most with \
      4K, with 16K and with the model's own length of context, and whether that fits: well, if the \
      context of -c (default: 4096) needs at most 70 % of what is available; else the largest \
      context that fits, if one does.
      """,
      """
      What is available is what a load would find now: the machine's memory, or a control group's \
      limit. --ram tells of a machine with so much memory, of which other programs take 1.5 GB.
      """,
    ],
    examples: ["pipit fit", "pipit fit bonsai-8b --ram 8GB", "pipit fit --json | jq .best"],
    flags: Flag.named("--ram", "--context", "--threads", "--kv-bits", "--json") + Flag.everywhere,
    operand: .menuModel,
    run: { invocation in
      let options = invocation.options
      let machine = options.machineMemory.map { MachineMemory(sold: $0) } ?? .probe()
      let names = invocation.arguments.map(\.text)
      let survey = try FitSurvey(
        library: invocation.library, names: names, options: options.modelOptions, on: machine)
      switch options.form {
      case .json: try invocation.console.write(survey.json(machine).text + "\n")
      default:
        try invocation.console.writeWords(
          survey.text(machine, isOther: options.machineMemory != nil))
      }
      return .done
    })
}
