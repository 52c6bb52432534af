import Conversion
import Inference
import JSON
import Transformers

/// What a conversion came to.
struct ConversionReport {
  let plan: ConversionPlan
  let output: String
  let seconds: Double
  var before: PerplexityResult?
  var after: PerplexityResult?

  var text: String {
    var lines = [
      """
      \(output): \(Figures.bytes(plan.tensorByteCount)) of weights from \
      \(Figures.bytes(plan.sourceByteCount)), \(Figures.fixed(plan.bitsPerWeight, 2)) bits per \
      weight, in \(Figures.duration(seconds))
      """
    ]
    if let before, let after {
      let change = 100 * (after.estimate.value / before.estimate.value - 1)
      lines.append(
        """
        Perplexity \(before.line) before, \(after.line) after \
        (\(change < 0 ? "" : "+")\(Figures.fixed(change, 2)) %)
        """)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("source", .string(plan.sourcePath)), ("output", .string(output)),
      ("source_bytes", .integer(plan.sourceByteCount)),
      ("bytes", .integer(plan.tensorByteCount)), ("parameters", .integer(plan.parameterCount)),
      ("bits_per_weight", .number(plan.bitsPerWeight)),
      ("quantised_layers", .integer(plan.quantisedCount)),
      (
        "left_out",
        .array(
          plan.unusedTotals.map { total in
            [
              "kind": .string(total.reason.rawValue), "tensors": .integer(total.count),
              "bytes": .integer(total.byteCount),
            ]
          })
      ),
      (
        "unquantised_layers",
        .array(
          plan.passedOver.map { layer in
            [
              "layer": .string(layer.module), "columns": .integer(layer.columns),
              "bits": .integer(layer.bits),
            ]
          })
      ), ("seconds", .number(seconds)),
    ]
    for (key, result) in [("perplexity_before", before), ("perplexity_after", after)] {
      guard let result else { continue }
      members.append(
        (
          key,
          [
            "perplexity": .number(result.estimate.value),
            "standard_error": .number(result.estimate.standardError),
            "predictions": .integer(result.estimate.count),
          ]
        ))
    }
    return .members(members)
  }
}
