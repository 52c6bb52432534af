import JSON
import Inference

extension Command {
  static let inspect = Command(
    name: "inspect",
    summary: "tell what a model's files hold",
    usage: ["inspect [MODEL] [--json]"],
    discussion: [
      """
      Numbers, tensors and metadata of a GGUF file or a folder of safetensors, from their headers \
      alone: no weight is loaded, and the file may be one that Pipit cannot run. Long texts and \
      arrays are cut, and control characters are left out.
      """
    ],
    examples: [
      "pipit inspect smollm2", "pipit inspect model.gguf --json | jq '.types'",
    ],
    flags: Flag.named("--model", "--json") + Flag.everywhere,
    operand: .model,
    run: { invocation in
      let reference = try invocation.requestedModel()
      let inspection = try ModelInspection(path: reference.path)
      switch invocation.options.form {
      case .json: try invocation.console.write(inspection.json(reference).text + "\n")
      default: try invocation.console.writeWords(inspection.text(reference))
      }
      return .done
    })
}
