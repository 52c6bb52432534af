import Foundation
import JSON
import Testing

/// A limit on the address space: whatever it is, the program ends, and with the code of a refusal.
@Suite(.serialized) struct AddressSpaceTests {
  private static let model = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "InferenceTests/Fixtures/models/qwen3-q1_0.gguf").path

  /// Bytes of address space that the program has before it does anything, found by starting it under
  /// ever larger limits until the system's loader has enough.
  private func loaded(_ binary: BuiltBinary) throws -> Int {
    for megabytes in stride(from: 40, to: 1000, by: 10) {
      let outcome = try run(binary, megabytes, "--version", seconds: 20)
      // The loader ends with 127.
      if outcome.code != 127 { return megabytes }
    }
    throw Missing()
  }

  private struct Missing: Error {}

  private func run(
    _ binary: BuiltBinary, _ megabytes: Int, _ arguments: String, seconds: TimeInterval
  ) throws -> Outcome {
    try binary.shell(
      "ulimit -v \(megabytes * 1000); exec timeout \(Int(seconds)) \"$PIPIT\" \(arguments)",
      seconds: seconds + 10)
  }

  @Test func everyLimitEnds() throws {
    let binary = try BuiltBinary()
    let start = try loaded(binary) + 5
    var codes: [Int32] = []
    for megabytes in stride(from: start, to: start + 420, by: 20) {
      let outcome = try run(
        binary, megabytes, "run -m '\(Self.model)' -t 1 -n 2 --json hello", seconds: 30)
      codes.append(outcome.code)
      #expect(
        outcome.code == 4 || outcome.code == 0,
        "\(megabytes) MB: \(outcome.code) \(outcome.errorText)")
    }
    // What is refused below some limit is admitted above it.
    #expect(codes.first == 4 && codes.last == 0 && codes.sorted(by: >) == codes, "\(codes)")
  }
}
