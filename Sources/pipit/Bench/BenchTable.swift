import Inference

/// A benchmark for readers.
enum BenchTable {
  static func text(_ result: BenchResult) -> String {
    let model = result.model
    var rows = [
      ("model", "\(model.name) (\(model.architecture), \(Figures.bytes(model.byteCount)))"),
      ("backend", result.backend),
    ]
    if let threads = result.threads { rows.append(("threads", String(threads))) }
    if result.depth > 0 { rows.append(("depth", Figures.tokens(result.depth))) }
    rows += [
      ("prefill", rate(result.prefill)), ("decode", rate(result.decode)),
      ("load", Figures.duration(result.loadTime)),
    ]
    if let time = result.timeToFirstToken {
      rows.append(
        ("first token", "\(Figures.duration(time)) after \(result.prefill.promptTokens) tokens"))
    }
    rows += result.footprint.named.map { ($0.name, Figures.bytes($0.bytes)) }
    rows += [
      ("estimated peak", result.estimatedPeak.map(Figures.bytes)),
      ("of it anonymous", result.estimatedAnonymous.map(Figures.bytes)),
      ("read bandwidth", result.readBandwidth.map { Figures.bytes(Int($0)) + "/s" }),
      ("read per token", result.traffic.map(BenchWords.traffic)),
      ("cache per token", result.keyValueBytesPerToken.map(Figures.bytes)),
      ("share of bound", result.shareOfBound.map { Figures.fixed($0 * 100, 0) + " %" }),
      ("sanity", result.sanity.map(BenchWords.sane)),
    ].compactMap { row in row.1.map { (row.0, $0) } }
    return rows.map { name, value in
      name + String(repeating: " ", count: 24 - name.count) + value + "\n"
    }.joined()
  }

  private static func rate(_ measurement: Measurement) -> String {
    """
    \(Figures.short(measurement.mean)) ± \(Figures.short(measurement.deviation)) tokens/s \
    (\(Figures.tokens(measurement.tokens)), \(measurement.rates.count) runs)
    """
  }

  /// The curve of `--threads auto`, the best number of threads marked.
  static func curve(_ results: [BenchResult]) -> String {
    let best = results.max { $0.decode.mean < $1.decode.mean }?.threads
    var text = "threads   prefill tokens/s   decode tokens/s\n"
    for result in results {
      let threads = result.threads.map(String.init) ?? "-"
      let cells = [
        (threads, 7), (Figures.short(result.prefill.mean), 19),
        (Figures.short(result.decode.mean), 18),
      ]
      text += cells.map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined()
      text += result.threads == best ? "  fastest\n" : "\n"
    }
    return text
  }
}
