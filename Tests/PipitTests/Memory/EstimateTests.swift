import Foundation
import TestSupport
import Testing

/// What was estimated beside what the built binary takes.
///
/// On the models that tests answer with; and, where heavy tests are asked for, on every model at hand.
@Suite(.serialized) struct EstimateTests {
  /// The work that the peak is of: hardly more than a load, and a prompt with its reply.
  static let work = [["-p", "1", "-n", "1"], ["-p", "700", "-n", "40"]]

  static let models: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let bundled = root.appending(path: "Catalog/bundled")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: bundled.path)) ?? []
    // Random numbers that have gone through 64 layers of one bit are noise, which `bench` refuses.
    let others =
      TestModels.slow
      ? TestModels.all.filter { !$0.hasSuffix("/bonsai-27b-q1_0.gguf") }
      : [TestModels.smolLM2].compactMap { $0 }
    return names.sorted().map { bundled.appending(path: $0).path } + others
  }()

  /// Like with like: what is resident against the whole need, and what is anonymous against the part
  /// of it that is in no file.
  @Test("Within 5 % or 20 MB", arguments: models, work)
  func estimateIsThePeak(path: String, work: [String]) throws {
    let binary = try BuiltBinary()
    let outcome = try binary.run(["bench", path, "-r", "1", "--json"] + work)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let rows = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
    let row = try #require(rows?.first)
    let name = path.split(separator: "/").last ?? ""
    var line = "\(name) \(work.joined(separator: " ")):"
    for (estimate, metric) in [
      ("estimated_peak_bytes", "peak_resident_bytes"),
      ("estimated_anonymous_bytes", "anonymous_bytes"),
    ] {
      let expected = try #require(row[estimate] as? Int)
      let found = try #require(row[metric] as? Int)
      line += " \(metric) \(found / 1000) kB, estimated \(expected / 1000) kB"
      #expect(
        abs(expected - found) <= max(20_000_000, found / 20),
        "\(name), \(metric): \(expected) against \(found)")
    }
    print(line)
  }
}
