import Foundation
import TestSupport
import Testing

/// What was estimated beside what the built binary takes, on every model at hand.
///
/// In release builds only: a debug build's code and runtime take other memory.
@Suite(.serialized, .enabled(if: TestModels.slow && !TestModels.all.isEmpty))
struct EstimateTests {
  /// The work that the peak is of: hardly more than a load, and a prompt with its reply.
  static let work = [["-p", "1", "-n", "1"], ["-p", "700", "-n", "40"]]

  @Test(
    "Within 5 % or 20 MB", arguments: TestModels.all.map { ($0 as String?) ?? "" }, work)
  func estimateIsThePeak(path: String, work: [String]) throws {
    let binary = try BuiltBinary()
    let outcome = try binary.run(["bench", path, "-r", "1", "--json"] + work)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let rows = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
    let row = try #require(rows?.first)
    let estimate = try #require(row["estimated_peak_bytes"] as? Int)
    let peak = try #require(row["peak_resident_bytes"] as? Int)
    let difference = abs(estimate - peak)
    let name = path.split(separator: "/").last ?? ""
    print(
      "\(name) \(work.joined(separator: " ")): estimate \(estimate / 1000) kB, peak resident",
      "\(peak / 1000) kB, anonymous \((row["anonymous_bytes"] as? Int ?? 0) / 1000) kB")
    #expect(difference <= max(20_000_000, peak / 20), "\(name): \(estimate) against \(peak)")
  }
}
