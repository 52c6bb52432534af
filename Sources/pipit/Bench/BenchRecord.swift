import JSON
import FoundationEssentials
import Inference

/// A test as llama-bench's `csv` and `json` have it, with what they lack after it.
struct BenchRecord {
  let fields: [(name: String, value: JSONValue)]

  init(_ result: BenchResult, _ measurement: Measurement, options: Options, cpu: String) {
    let model = result.model
    let bits = options.keyValueBits ?? .sixteen
    fields = [
      ("build_number", .string(Version.number)), ("cpu_info", .string(cpu)),
      ("backends", .string(result.backend)), ("model_filename", .string(model.path)),
      ("model_type", .string(model.architecture)), ("model_size", .integer(model.byteCount)),
      ("model_n_params", .integer(model.parameterCount)), ("n_threads", .optional(result.threads)),
      ("type_k", .string(type(bits.keys))), ("type_v", .string(type(bits.values))),
      ("n_prompt", .integer(measurement.promptTokens)),
      ("n_gen", .integer(measurement.generatedTokens)), ("n_depth", .integer(result.depth)),
      ("test_time", .string(Date().formatted(.iso8601))),
      ("avg_ns", .number(Measurement.mean(measurement.times).rounded())),
      ("stddev_ns", .number(Measurement.deviation(measurement.times).rounded())),
      ("avg_ts", .number(measurement.mean)), ("stddev_ts", .number(measurement.deviation)),
      ("load_ns", .number((result.loadTime * 1e9).rounded())),
      ("ttft_ns", .optional(result.timeToFirstToken.map { ($0 * 1e9).rounded() })),
      ("peak_resident_bytes", .optional(result.footprint.peakResident)),
      ("anonymous_bytes", .optional(result.footprint.anonymous)),
      ("file_backed_bytes", .optional(result.footprint.fileBacked)),
      ("proportional_bytes", .optional(result.footprint.proportional)),
      ("estimated_peak_bytes", .optional(result.estimatedPeak)),
      ("estimated_anonymous_bytes", .optional(result.estimatedAnonymous)),
      ("read_bandwidth_bytes_per_second", .optional(result.readBandwidth?.rounded())),
      ("bytes_per_token", .optional(result.traffic?.total)),
      ("weight_bytes_read_per_token", .optional(result.traffic?.weights)),
      ("key_value_bytes_read_per_token", .optional(result.traffic?.keysAndValues)),
      ("state_bytes_moved_per_token", .optional(result.traffic?.recurrentState)),
      ("key_value_bytes_per_token", .optional(result.keyValueBytesPerToken)),
      ("share_of_bound", .optional(result.shareOfBound)),
      ("sane", result.sanity.map { .bool($0.isSound) } ?? .null),
    ]
  }

  /// As an object, with the samples too.
  func json(_ measurement: Measurement) -> JSONValue {
    .members(
      fields.map { ($0.name, $0.value) } + [
        ("samples_ns", .array(measurement.times.map { .number($0.rounded()) })),
        ("samples_ts", .array(measurement.rates.map { .number($0) })),
      ])
  }

  var header: String { fields.map(\.name).joined(separator: ",") }

  /// Every value in quotes, as llama-bench writes them.
  var line: String {
    fields.map { field in
      let text =
        switch field.value {
        case .null: ""
        case .string(let value): value
        default: field.value.text
        }
      return "\""
        + text.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }.joined(separator: ",")
  }
}

/// As llama.cpp begins its names: f16, q8.
private func type(_ bits: Int) -> String {
  bits < 16 ? "q\(bits)" : "f\(bits)"
}

/// What the system calls the processor; empty when it does not say.
func processorName() -> String {
  guard let data = try? FileFailure.read("/proc/cpuinfo") else { return "" }
  for line in String(decoding: data, as: UTF8.self).split(separator: "\n")
  where line.hasPrefix("model name") {
    return line.split(separator: ":", maxSplits: 1).last.map { $0.trimmed } ?? ""
  }
  return ""
}
