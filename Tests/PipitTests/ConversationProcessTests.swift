import Foundation
import Glibc
import Testing

/// Several processes on one store, and processes that are killed.
@Suite(.serialized) struct ConversationProcessTests {
  private static let isSlow = ProcessInfo.processInfo.environment["PIPIT_SLOW"] == "1"

  private func documents(_ binary: BuiltBinary) throws -> [String: [String: Any]] {
    let folder = binary.home + "/conversations/"
    var documents: [String: [String: Any]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasPrefix("conversation-") && name.hasSuffix(".json") {
      let data = try Data(contentsOf: URL(filePath: folder + name))
      let value = try JSONSerialization.jsonObject(with: data)
      documents[name] = value as? [String: Any]
    }
    return documents
  }

  /// What has been said of a document's last message, and what `history` makes of it.
  private func reply(_ document: [String: Any]) -> (text: String, tokens: Int, isWhole: Bool) {
    let last = (document["messages"] as? [[String: Any]])?.last ?? [:]
    guard last["role"] as? String == "assistant" else { return ("", 0, false) }
    let tokens = (last["tokens"] as? [String: Any])?["reply"] as? [Int] ?? []
    return (last["content"] as? String ?? "", tokens.count, last["interrupted"] as? Bool == false)
  }

  /// A chat that streams a word every 20 ms is killed at random moments: all that was said up to
  /// two seconds before is in the file, tokens included, and no file is damaged or lost.
  @Test func killedAtAnyMoment() throws {
    let words = (0..<300).map { #""w\#($0) ",{"delay":20}"# }.joined(separator: ",")
    let binary = try BuiltBinary(script: "{\"replies\": [[\(words)]]}")
    let rounds = Self.isSlow ? 200 : 8
    var generator = SystemRandomNumberGenerator()
    var kept = 0
    var timed = 0
    for round in 0..<rounds {
      let arguments = kept > 0 && round % 3 == 0 ? ["chat", "--continue"] : ["chat"]
      let before = kept == 0 ? 0 : try documents(binary).count
      let child = try binary.start(arguments)
      child.send(Data("message \(round)\n".utf8))
      let delay = Double.random(in: 0...3.5, using: &generator)
      let (seen, longestPause) = child.output(for: delay)
      child.kill(SIGKILL)
      let moment = Date()
      _ = child.finish()
      let heard = String(decoding: seen.map(\.data).reduce(Data(), +), as: UTF8.self)
      guard FileManager.default.fileExists(atPath: binary.home + "/conversations") else { continue }
      let all = try documents(binary)
      #expect(all.count >= before, "round \(round): a file was lost")
      kept = all.count
      let outcome = try binary.run("history", "--json")
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
      let list = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
      #expect(list?.count == all.count)

      // What was heard two seconds before the end has to be there.
      // A machine that stood still meanwhile, this test included, tells nothing of that.
      let wasRunning = longestPause < 0.3
      if wasRunning { timed += 1 }
      let due =
        wasRunning ? seen.filter { moment.timeIntervalSince($0.time) > 2 }.map(\.data) : []
      let dueText = String(decoding: due.reduce(Data(), +), as: UTF8.self)
      let text = all.values.map { reply($0) }.first { reply in
        !reply.text.isEmpty && !reply.isWhole && heard.hasPrefix(reply.text.prefix(3))
          && reply.text.utf8.count >= dueText.utf8.count
      }
      if !dueText.isEmpty {
        #expect(text != nil, "round \(round): \(dueText.utf8.count) bytes were due")
        if let text { #expect(text.tokens == text.text.utf8.count) }
      }
      // So that the next round's reply is the only one of its kind.
      if let path = list?.first?["id"] as? String, round % 3 != 2 {
        _ = try binary.run("history", "purge", path)
        kept -= 1
      }
    }
    print("killed \(rounds) times, \(timed) of them timed")
    let names = try FileManager.default.contentsOfDirectory(atPath: binary.home + "/conversations")
    #expect(names.filter { $0.contains("corrupt") }.isEmpty)
    _ = try binary.run("history")
    let after = try FileManager.default.contentsOfDirectory(atPath: binary.home + "/conversations")
    #expect(
      after.filter { $0.hasSuffix(".tmp") || $0.hasPrefix("conversation") && $0.hasSuffix(".lock") }
        .isEmpty)
  }

  @Test func manyProcessesOnOneStore() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["a ",{"delay":30},"b ",{"delay":30},"c"]]}"#)
    let first = try binary.start(["chat"])
    let second = try binary.start(["chat"])
    first.send(Data((0..<20).map { "first \($0)\n" }.joined().utf8))
    second.send(Data((0..<20).map { "second \($0)\n" }.joined().utf8))
    let count = Self.isSlow ? 60 : 12
    let outcome = try binary.shell(
      "seq \(count) | xargs -P4 -I{} sh -c '\"$PIPIT\" run --save \"prompt {}\" </dev/null || echo FAILED'"
    )
    #expect(outcome.code == 0)
    #expect(!outcome.outputText.contains("FAILED"))
    #expect(outcome.output.count { $0 == 0x0A } == count)
    for child in [first, second] {
      let chat = child.finish()
      #expect(chat.code == 0 && chat.errors.isEmpty, "\(chat.errorText)")
    }
    let all = try documents(binary)
    #expect(all.count == count + 2)
    #expect(
      all.values.allSatisfy {
        ($0["messages"] as? [Any])?.count == 2 || ($0["messages"] as? [Any])?.count == 40
      })
    let list = try binary.run("history", "--json")
    let values = try JSONSerialization.jsonObject(with: list.output) as? [[String: Any]]
    #expect(values?.count == count + 2 && list.errors.isEmpty)
  }

  /// `run` does not wait for a chat that has the conversation open, nor fail.
  @Test func whatAChatHasOpenIsCopied() throws {
    let binary = try BuiltBinary(
      script: #"{"replies": [["one"],["two ",{"delay":20000}]]}"#)
    #expect(try binary.run("run", "--save", "a").code == 0)
    let chat = try binary.start(["chat", "--continue"])
    _ = chat.wait(for: "conversation", in: binary.home + "/conversations", suffix: ".lock")
    let refused = try binary.run("chat", "--continue", input: "x\n")
    #expect(refused.code == 1)
    #expect(refused.errorText.contains("is open in another Pipit"))
    #expect(refused.errorText.contains("in a chat goes on in a copy"))
    let outcome = try binary.run("run", "--continue", "b")
    #expect(outcome.code == 0 && outcome.outputText == "one\n")
    #expect(outcome.errorText.contains("This goes into a copy"))
    chat.kill(SIGKILL)
    _ = chat.finish()
    #expect(try documents(binary).count == 2)
    #expect(try binary.run("chat", "--continue", input: "").code == 0)
  }

  @Test func terminationSavesAndSaysSo() throws {
    let binary = try BuiltBinary(script: #"{"replies": [["begun ",{"delay":60000}]]}"#)
    let chat = try binary.start(["chat"])
    chat.send(Data("a\n".utf8))
    _ = chat.waitForOutput("begun")
    chat.kill(SIGTERM)
    #expect(chat.finish().code == 143)
    let all = try documents(binary)
    #expect(all.count == 1)
    #expect(all.values.map { reply($0).text } == ["begun "])
    #expect(try binary.run("history", "show", "", environment: [:]).code == 2)
  }
}

extension Child {
  /// What is written to standard output within some seconds, with the time of each part, and how
  /// long at most nobody looked.
  fileprivate func output(
    for seconds: Double
  ) -> (parts: [(time: Date, data: Data)], longestPause: TimeInterval) {
    var parts: [(time: Date, data: Data)] = []
    var longestPause: TimeInterval = 0
    var last = Date()
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      guard let data = readOutput(milliseconds: 10) else { break }
      longestPause = max(longestPause, Date().timeIntervalSince(last))
      last = Date()
      if !data.isEmpty { parts.append((last, data)) }
    }
    return (parts, max(longestPause, Date().timeIntervalSince(last)))
  }

  /// Waits until a folder has a file with that beginning and end.
  fileprivate func wait(for prefix: String, in folder: String, suffix: String) -> Bool {
    let end = Date().addingTimeInterval(20)
    while Date() < end {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      if names.contains(where: { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }) { return true }
      usleep(20_000)
    }
    return false
  }
}
