import Foundation
import Testing

/// The bound on decoding that `pipit bench` compares with.
@Suite(.serialized) struct BenchTests {
  private static let model = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return root.appending(path: "Catalog/bundled/pipit-180m-1bit").path
  }()

  private func decode(_ arguments: String...) throws -> [String: Any] {
    let binary = try BuiltBinary()
    let outcome = try binary.run(
      ["bench", Self.model, "-r", "1", "-p", "1", "-n", "4", "--json"] + arguments)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let rows = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
    return try #require(rows?.last)
  }

  /// The comparison of backends takes more than the model, and comes after the first row's figures.
  @Test func everyRowHasItsOwnPeak() throws {
    let outcome = try BuiltBinary().run(
      "bench", Self.model, "-t", "auto", "-r", "1", "-p", "1", "-n", "4", "--json")
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let rows = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
    let peaks = try #require(rows).map { try #require($0["peak_resident_bytes"] as? Int) }
    let first = try #require(peaks.first)
    #expect(peaks.allSatisfy { $0 < first + first / 4 }, "\(peaks)")
  }

  @Test func theBoundCountsWeightsKeysValuesAndState() throws {
    let shallow = try decode()
    let deep = try decode("-d", "900")
    let narrow = try decode("-d", "900", "--kv-bits", "8")
    func bytes(_ row: [String: Any], _ name: String) throws -> Int {
      try #require(row[name] as? Int, "\(name)")
    }
    for row in [shallow, deep, narrow] {
      let total = try bytes(row, "bytes_per_token")
      let parts = try [
        "weight_bytes_read_per_token", "key_value_bytes_read_per_token",
        "state_bytes_moved_per_token",
      ].map { try bytes(row, $0) }
      #expect(parts.allSatisfy { $0 > 0 })
      #expect(total == parts.reduce(0, +))
      let speed = try #require(row["avg_ts"] as? Double)
      let bandwidth = Double(try bytes(row, "read_bandwidth_bytes_per_second"))
      let share = try #require(row["share_of_bound"] as? Double)
      #expect(abs(share - speed * Double(total) / bandwidth) < 1e-6)
    }
    let name = "key_value_bytes_read_per_token"
    // All but the depth itself is the same.
    let position = try bytes(deep, "key_value_bytes_per_token")
    #expect(try bytes(deep, name) - bytes(shallow, name) == 900 * position)
    #expect(try bytes(narrow, name) < bytes(deep, name))
  }
}
