import Foundation
import Glibc
import Testing

@Suite struct SignalTests {
  /// A reply that would take minutes.
  private static let slow = """
    {"replies": [["so far", {"delay": 120000}, "never"]], "prefillDelay": 0}
    """
  /// A prompt that would.
  private static let slowPrefill = #"{"replies": [["never"]], "prefillDelay": 120000}"#

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func stopsAReplyAndKeepsItsText(_ signal: Int32, _ code: Int32) throws {
    let binary = try BuiltBinary(script: Self.slow)
    let child = try binary.start(["run", "x"], input: .null)
    #expect(child.waitForOutput("so far").contains("so far"))
    let start = Date()
    child.kill(signal)
    let outcome = child.finish()
    #expect(outcome.code == code)
    #expect(outcome.outputText == "\n")
    #expect(Date().timeIntervalSince(start) < 20)
  }

  @Test func stopsWhileThePromptIsRead() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["x"]], "prefillDelay": 120000, "record": "RECORD"}"#,
      recording: true)
    let child = try binary.start(["run", "x"], input: .null)
    let deadline = Date().addingTimeInterval(20)
    while binary.record.count < 2, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
    child.kill(SIGINT)
    let outcome = child.finish()
    #expect(outcome.code == 130)
    #expect(outcome.outputText == "")
  }

  @Test func anInterruptedObjectIsWhole() throws {
    let binary = try BuiltBinary(
      script: """
        {"replies": [["so far", {"delay": 120000}]], "record": "RECORD"}
        """, recording: true)
    let child = try binary.start(["run", "--json", "x"], input: .null)
    let deadline = Date().addingTimeInterval(20)
    while binary.record.count < 2, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
    Thread.sleep(forTimeInterval: 0.5)
    child.kill(SIGINT)
    let outcome = child.finish()
    #expect(outcome.code == 130)
    let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
    #expect(object?["text"] as? String == "so far")
    #expect(object?["stop_reason"] as? String == "cancelled")
  }

  @Test func endsWhileItWaitsForStandardInput() throws {
    let binary = try BuiltBinary(script: Self.slow)
    let child = try binary.start(["run"])
    Thread.sleep(forTimeInterval: 0.5)
    child.kill(SIGINT)
    #expect(child.wait() == 130)
  }
}
