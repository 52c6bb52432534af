extension Command {
  static let doctor = Command(
    name: "doctor",
    summary: "check what Pipit depends on, and its numbers",
    usage: ["doctor [--json]"],
    discussion: [
      """
      Looks at the processor and the kernels chosen for it, threads and why so many, the memory and \
      what bounds it, the speed of reading it, folders, libraries, the default model, and the model \
      that comes with Pipit: its files by their SHA-256, and ten tokens of it, whose logits are the \
      same to the bit on every machine. It says what to do about each fault, and ends with 1 if \
      there is one.
      """
    ],
    examples: [
      "pipit doctor", "pipit doctor --json | jq '.checks[] | select(.state == \"fault\")'",
    ],
    flags: Flag.named("--threads", "--json") + Flag.everywhere,
    run: { invocation in try await Doctor(invocation).run() })
}
