import Inference
import JSON

/// What `pipit bench --first-run` found.
struct FirstRunReport: Sendable {
  var result: BenchResult
  var memory: MachineMemory
  /// What the model said to `BenchWords.samplePrompt`.
  var sample: String
  var cpu: String

  private static let sampleLines = 3

  var text: String {
    let model = result.model
    let peak = result.footprint.peakResident
    var rows = [
      ("model", "\(model.name), \(Figures.bytes(model.byteCount))"),
      ("processor", "\(cpu), \(result.backend), \(result.threads ?? 1) threads"),
      ("load", Figures.duration(result.loadTime)),
      ("prefill", "\(Figures.short(result.prefill.mean)) tokens/s"),
      ("decode", "\(Figures.short(result.decode.mean)) tokens/s"),
    ]
    if let peak { rows.append(("peak resident", "\(Figures.bytes(peak)) with this model")) }
    if let tightest = memory.tightest {
      rows.append(
        (
          "memory",
          "\(Figures.bytes(tightest.available)) available of \(Figures.bytes(tightest.capacity))"
        ))
    }
    let lines = HelpText.wrap(sample.filter { !$0.isNewline || $0 == "\n" }, width: 64)
    for (index, line) in lines.prefix(Self.sampleLines).enumerated() {
      rows.append((index == 0 ? "sample" : "", line))
    }
    return rows.map { name, value in
      name + String(repeating: " ", count: 16 - name.count) + value + "\n"
    }.joined()
  }

  var json: JSONValue {
    .members([
      ("model", .string(result.model.name)), ("model_bytes", .integer(result.model.byteCount)),
      ("cpu", .string(cpu)), ("backend", .string(result.backend)),
      ("threads", .optional(result.threads)), ("load_seconds", .number(result.loadTime)),
      ("prefill_tokens_per_second", .number(result.prefill.mean)),
      ("decode_tokens_per_second", .number(result.decode.mean)),
      ("peak_resident_bytes", .optional(result.footprint.peakResident)),
      ("available_bytes", .optional(memory.available)),
      ("memory_bytes", .optional(memory.tightest?.capacity)), ("sample", .string(sample)),
    ])
  }
}
