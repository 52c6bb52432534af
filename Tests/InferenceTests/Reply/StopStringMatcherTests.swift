import Inference
import Testing

@Suite struct StopStringMatcherTests {
  /// The text that comes out and whether it was stopped.
  private func run(_ stops: [String], _ pieces: [String]) -> (String, String?) {
    var matcher = StopStringMatcher(stops)
    var text = pieces.map { matcher.append($0) }.joined()
    text += matcher.flush()
    return (text, matcher.match)
  }

  @Test("Finds a stop string however the text is cut")
  func findsAcrossEdges() {
    let text = "One, twö, 三 END of it"
    for first in 0...text.count {
      for second in first...text.count {
        let a = text.index(text.startIndex, offsetBy: first)
        let b = text.index(text.startIndex, offsetBy: second)
        let pieces = [String(text[..<a]), String(text[a..<b]), String(text[b...])]
        #expect(run(["END"], pieces) == ("One, twö, 三 ", "END"))
        #expect(run(["三 E", "of"], pieces) == ("One, twö, ", "三 E"))
        #expect(run(["none", "END!"], pieces) == (text, nil))
      }
    }
  }

  @Test func holdsBackOnlyWhatMayBegin() {
    var matcher = StopStringMatcher(["abcab!", "cabx"])
    #expect(matcher.append("zzab") == "zz")
    #expect(matcher.append("c") == "")
    #expect(matcher.append("ab") == "")
    #expect(matcher.append("c") == "abc")
    #expect(matcher.append("q") == "abcq")
    #expect(matcher.append("ab") == "")
    #expect(matcher.flush() == "ab")
    #expect(!matcher.hasMatched)
  }

  @Test func overlappingStarts() {
    #expect(run(["aab"], ["a", "a", "a", "b", "rest"]) == ("a", "aab"))
    #expect(run(["\n\nUser:"], ["Hi\n", "\n", "\nUser:", "x"]) == ("Hi\n", "\n\nUser:"))
  }

  @Test func firstToBeCompleteWinsAndOfSeveralTheLongest() {
    #expect(run(["bc", "abcd"], ["xabcd"]) == ("xa", "bc"))
    #expect(run(["bcd", "abcd", "d"], ["xabcd"]) == ("x", "abcd"))
    #expect(run(["abcde", "c"], ["xabcde"]) == ("xab", "c"))
  }

  @Test func characterBoundariesAreKept() {
    // é and è share their first byte; a family emoji is several scalars.
    #expect(run(["é"], ["è", "é", "x"]) == ("è", "é"))
    #expect(run(["👨‍👩‍👧"], ["👨", "\u{200d}👩", "\u{200d}👦"]) == ("👨‍👩‍👦", nil))
    // By bytes: a composed and a decomposed character differ.
    #expect(run(["e\u{301}"], ["\u{e9}"]).1 == nil)
  }

  @Test func nothingComesAfterAMatch() {
    var matcher = StopStringMatcher(["stop"])
    #expect(matcher.append("go stop more") == "go ")
    #expect(matcher.append("more") == "")
    #expect(matcher.flush() == "")
  }

  @Test func withoutStopStringsTextPasses() {
    var matcher = StopStringMatcher([""])
    #expect(matcher.append("anything") == "anything")
    #expect(matcher.flush() == "")
  }

  @Test("Agrees with a search of the whole text", arguments: 0..<40)
  func agreesWithWholeSearch(seed: Int) {
    var generator = SplitMix(state: UInt64(seed))
    func word(_ length: Int) -> String {
      String((0..<length).map { _ in "abé"[generator.next()] })
    }
    let stops = (0..<4).map { _ in word(Int(generator.next() % 5) + 2) }
    let pieces = (0..<30).map { _ in word(Int(generator.next() % 4)) }
    let text = Array(pieces.joined().utf8)
    let ends = stops.flatMap { stop -> [(end: Int, start: Int)] in
      let bytes = Array(stop.utf8)
      guard text.count >= bytes.count else { return [] }
      return (0...text.count - bytes.count)
        .filter { text[$0..<$0 + bytes.count].elementsEqual(bytes) }
        .map { (end: $0 + bytes.count, start: $0) }
    }
    let first = ends.min { $0 < $1 }
    let expected = String(decoding: text[..<(first?.start ?? text.count)], as: UTF8.self)
    #expect(run(stops, pieces).0 == expected)
  }
}

extension String {
  fileprivate subscript(random: UInt64) -> Character {
    self[index(startIndex, offsetBy: Int(random % UInt64(count)))]
  }
}
