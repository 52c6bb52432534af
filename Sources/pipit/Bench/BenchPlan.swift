import Inference

/// What `pipit bench` measures.
struct BenchPlan: Sendable {
  var promptTokens: Int
  var generatedTokens: Int
  var depth: Int
  var repetitions: Int

  init(_ options: Options) {
    promptTokens = options.bench.promptTokens ?? 512
    generatedTokens = options.sampling.maxTokens ?? 128
    depth = options.bench.depth ?? 0
    repetitions = options.bench.repetitions ?? 3
  }

  /// Tokens of context that the longest test needs, the first run to warm up among them.
  var contextLength: Int { depth + max(promptTokens + 1, generatedTokens + 2, 32) }

  /// Positions of the tokens that are decoded against the clock: after the depth and a prompt of one.
  var decodedPositions: Range<Int> { depth + 1..<depth + 1 + generatedTokens }
}

/// Tokens per second of one kind of work, run several times.
struct Measurement: Sendable {
  /// Tokens of prompt or of reply in each run; the other is 0.
  var promptTokens = 0
  var generatedTokens = 0
  var rates: [Double] = []

  var tokens: Int { promptTokens + generatedTokens }
  var mean: Double { Self.mean(rates) }
  var deviation: Double { Self.deviation(rates) }
  /// Nanoseconds of each run.
  var times: [Double] { rates.map { Double(tokens) / $0 * 1e9 } }

  static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  /// The standard deviation of the sample; 0 for a single value.
  static func deviation(_ values: [Double]) -> Double {
    if values.count < 2 { return 0 }
    let mean = mean(values)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }
}

/// All that was measured with one number of threads.
struct BenchResult: Sendable {
  var model: ModelDescription
  var threads: Int?
  var backend: String
  var depth: Int
  var prefill: Measurement
  var decode: Measurement
  /// Seconds.
  var loadTime: Double
  var timeToFirstToken: Double?
  var footprint: Footprint
  /// Bytes that the memory plan gives for the longest of the runs.
  var estimatedPeak: Int?
  /// Of these, the bytes of no file.
  var estimatedAnonymous: Int?
  /// Bytes a second.
  var readBandwidth: Double?
  /// Bytes that decoding moves, the mean of the tokens that were measured.
  var traffic: DecodeTraffic?
  /// Bytes that a token adds to the keys and values.
  var keyValueBytesPerToken: Int?
  var sanity: BenchSanity?

  /// Decoding's share of what moving the bytes of each token once allows.
  ///
  /// It can exceed 1 where a recurrent state stays in a cache, see `DecodeTraffic`.
  var shareOfBound: Double? {
    guard let readBandwidth, let traffic, readBandwidth > 0 else { return nil }
    return decode.mean * Double(traffic.total) / readBandwidth
  }
}
