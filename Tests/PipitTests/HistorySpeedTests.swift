import Foundation
import Testing

/// 10,000 conversations: what a list and a search of them take, and a save beside them.
///
/// For a quiet machine and the program as it ships.
@Suite(
  .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["PIPIT_SLOW"] == "1", "for Scripts/test-slow"))
struct HistorySpeedTests {
  private static let count = 10_000

  /// A store of conversations of four turns, each of a hundred words and their tokens.
  private func makeStore(_ binary: BuiltBinary) throws {
    let folder = binary.home + "/conversations"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let words = [
      "river", "lake", "mountain", "valley", "delta", "the", "of", "and", "flows", "into",
    ]
    var state: UInt64 = 1
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for number in 0..<Self.count {
      var lines: [String] = []
      for message in 0..<8 {
        let text = (0..<100).map { _ in words[random(words.count)] + String(random(1000)) }
          .joined(separator: " ")
        let isReply = message % 2 == 1
        let tokens = (0..<(isReply ? 150 : 0)).map { _ in String(random(150_000)) }
          .joined(separator: ",")
        lines.append(
          """
          {"id":\(message),"parent":\(message == 0 ? "null" : String(message - 1)),\
          "role":"\(isReply ? "assistant" : "user")","created":"2026-11-30T09:54:14.123Z",\
          "content":"\(message == 0 && number == 4321 ? "needle " : "")\(text)"\
          \(isReply ? #","stop_reason":"end_of_turn","tokens":{"prompt":[1],"reply":[\#(tokens)]}"# : "")}
          """)
      }
      let document =
        """
        {"format":"pipit conversation","version":1,"title":"t","created":"2026-11-30T09:54:14.123Z",\
        "updated":"2026-11-30T09:54:14.123Z","messages":[\n\(lines.joined(separator: ",\n"))\n]}\n
        """
      try Data(document.utf8).write(
        to: URL(filePath: folder + "/" + ConversationName.make(number)))
    }
  }

  private func measure(_ what: String, _ binary: BuiltBinary, _ arguments: [String]) throws
    -> Double
  {
    var times: [Double] = []
    for _ in 0..<5 {
      let start = Date()
      let outcome = try binary.run(arguments)
      times.append(Date().timeIntervalSince(start))
      #expect(outcome.code == 0, "\(outcome.errorText)")
    }
    times.sort()
    print("\(what): \(Int(times[2] * 1000)) ms (\(times.map { Int($0 * 1000) }))")
    return times[2]
  }

  @Test func tenThousandConversations() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["ok"]]}"#)
    try makeStore(binary)
    let start = Date()
    #expect(try binary.run("history", "--limit", "1").code == 0)
    print("index made: \(Int(Date().timeIntervalSince(start) * 1000)) ms")
    let list = try measure("list", binary, ["history"])
    let json = try measure("list as JSON", binary, ["history", "--json"])
    let rare = try measure("search for a rare word", binary, ["history", "search", "needle"])
    let common = try measure("search for a common one", binary, ["history", "search", "river1"])
    let save = try measure("run --save", binary, ["run", "--save", "x"])
    #expect(list < 0.15 && json < 0.3)
    #expect(rare < 1 && common < 1)
    #expect(save < 0.5)
    #expect(
      try binary.run("history", "search", "needle").outputText.split(separator: "\n").count == 2)
  }
}
