import Inference

extension Command {
  static let logits = Command(
    name: "logits",
    summary: "write a model's raw output for given tokens",
    usage: ["logits [MODEL] --tokens IDS --out FILE [OPTIONS]"],
    discussion: [
      """
      The file holds float32 values, little-endian: for each token one for every entry of the \
      vocabulary. Made for comparing with other implementations.
      """
    ],
    examples: ["pipit logits smollm2 --tokens 1,2,3 --out logits.f32 --backend blas"],
    flags: Flag.named("--tokens", "--out", "--chunk") + Flag.model + Flag.everywhere,
    operand: .model,
    run: { invocation in
      let raw = invocation.options.raw
      guard let tokens = raw.tokens else {
        throw ArgumentError.missingFlag(command: "logits", flag: "--tokens IDS")
      }
      guard let out = raw.out else {
        throw ArgumentError.missingFlag(command: "logits", flag: "--out FILE")
      }
      var reference = try invocation.requestedModel()
      if reference.options.contextLength == nil {
        // The cache need not be larger than what is asked for.
        reference.options.contextLength = tokens.count
      }
      let model = try await Engines.openRaw(
        reference, budget: invocation.memoryBudget)
      let file = try OutputFile(path: out)
      do {
        try await model.logits(of: tokens, chunk: raw.chunk) { row in
          try file.write(littleEndian(row))
        }
        try file.finish()
      } catch {
        // The engine may hold the file for a moment still, and the program ends now.
        OutputFile.abandonCurrent()
        throw error
      }
      return .done
    })

  private static func littleEndian(_ values: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 4)
    for value in values {
      let bits = value.bitPattern
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 24))
    }
    return bytes
  }
}
