import TestSupport
import Testing
import Tokenizers

/// Merging against the definition of byte-pair encoding, and on the texts where it is slow if
/// it is done simply.
@Suite struct MergingTests {
  /// Rules of every shape over three letters: made of made pieces, and lower ranks that appear
  /// only after higher ones have been applied.
  static let merges = [
    ("a", "a"), ("aa", "aa"), ("b", "a"), ("a", "b"), ("aaaa", "b"), ("ab", "ba"), ("c", "ab"),
    ("aa", "c"), ("c", "c"), ("cc", "aaaa"), ("b", "b"), ("abba", "aa"), ("aac", "cc"),
  ]

  @Test(arguments: [1, 2, 3, 40, 127, 128, 129, 130, 400])
  func equalsTheDefinition(length: Int) throws {
    let tokenizer = try Tokenizer(.tiny(merges: Self.merges))
    var generator = SeededGenerator(seed: UInt64(length))
    for _ in 0..<40 {
      let text = String((0..<length).map { _ in "aaabbc".randomElement(using: &generator) ?? "a" })
      let ids = try tokenizer.encode(text, .matched)
      #expect(ids.map { tokenizer.bytes(of: $0) } == merged(text).map { Array($0.utf8) })
    }
  }

  /// One merge at a time, each found by looking through everything.
  private func merged(_ text: String) -> [String] {
    var parts = text.map { String($0) }
    while true {
      var best: (rank: Int, position: Int)?
      for position in parts.indices.dropLast() {
        let pair = (parts[position], parts[position + 1])
        guard let rank = Self.merges.firstIndex(where: { $0 == pair }) else { continue }
        if rank < best?.rank ?? .max { best = (rank, position) }
      }
      guard let best else { return parts }
      parts[best.position...best.position + 1] = [parts[best.position] + parts[best.position + 1]]
    }
  }

  static let monotonous = [
    "a", " ", "\n", " \n", "<", "7", "!", "😀", "漢字", "e\u{301}\u{323}", "\u{301}\u{323}",
    "\u{1112}\u{1161}\u{11ab}", "<|im_", "<|im_end|>", "abcdefghijklmnopqrstuvwxyz", noncharacter,
  ]

  /// These take minutes if any step is quadratic.
  @Test(arguments: monotonous)
  func endsOnMegabytes(unit: String) throws {
    let tokenizer = try Family.smollm2.tokenizer()
    #if DEBUG
      let size = 1 << 16
    #else
      let size = 1 << 20
    #endif
    let text = String(repeating: unit, count: size / unit.utf8.count)
    let ids = try tokenizer.encode(tokenizer.guarding(text), .guarded)
    #expect(tokenizer.decode(ids, skippingControl: false) == text)
  }

  @Test func endsOnAMegabyteOfMarksToBeSorted() throws {
    let tokenizer = try Tokenizer(.tiny(normaliser: .nfc))
    let ids = try tokenizer.encode(String(repeating: "\u{301}\u{323}", count: 1 << 18), .matched)
    #expect(ids.count == 1 << 20)
    #expect(
      Set(ids[..<(1 << 19)].enumerated().filter { $0.offset % 2 == 1 }.map(\.element)) == [0xA3])
  }
}
