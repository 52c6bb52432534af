import Markdown
import Testing

/// What is handed out early is what a whole document gives.
@Suite struct StreamTests {
  /// All rows that were final at some time, in order, with the document fed in pieces.
  private func streamed(_ source: String, width: Int, sizes: () -> Int) -> [String] {
    var stream = MarkdownStream(hasStyles: true)
    var rows: [String] = []
    var rest = source[...]
    while !rest.isEmpty {
      let piece = rest.prefix(sizes())
      rest = rest.dropFirst(piece.count)
      stream.append(String(piece))
      rows += stream.takeRows(width: width).settled.map { $0.rendered(hasStyles: true) }
    }
    return rows + stream.finish(width: width).map { $0.rendered(hasStyles: true) }
  }

  @Test(arguments: [24, 80, 160])
  func piecesGiveTheSameRows(_ width: Int) throws {
    let source = try LayoutTests.fixture("tour.md")
    let whole = LayoutTests.rows(source, width: width).map { $0.rendered(hasStyles: true) }
    #expect(streamed(source, width: width) { 1 } == whole)
    for seed in 1...20 {
      var state = UInt64(seed)
      let rows = streamed(source, width: width) {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return Int(state >> 33) % 30 + 1
      }
      #expect(rows == whole, "seed \(seed)")
    }
  }

  @Test func finishedBlocksItemsAndLinesOfCodeAreHandedOut() {
    var stream = MarkdownStream(hasStyles: false)
    stream.append("One.\n\nTwo")
    var rows = stream.takeRows(width: 80)
    #expect(rows.settled.map(\.text) == ["One."])
    #expect(rows.open.map(\.text) == ["", "Two"])
    stream.append("\n\n- a\n- b")
    rows = stream.takeRows(width: 80)
    #expect(rows.settled.map(\.text) == ["", "Two", "", "• a"])
    #expect(rows.open.map(\.text) == ["• b"])
    stream.append("\n\n```\nx\ny")
    rows = stream.takeRows(width: 80)
    #expect(rows.settled.map(\.text) == ["• b", "", "┌──", "x"])
    #expect(rows.open.map(\.text) == ["y", "└──"])
    stream.append("\n``")
    #expect(stream.takeRows(width: 80).open.map(\.text) == ["└──"])
    #expect(stream.finish(width: 80).map(\.text).last == "└──")
  }

  @Test func openEmphasisIsShownAsSuch() {
    var stream = MarkdownStream(hasStyles: true)
    stream.append("a **bold")
    #expect(stream.takeRows(width: 80).open.first?.text == "a bold")
    stream.append(" and `co")
    #expect(stream.takeRows(width: 80).open.first?.text == "a bold and co")
    stream.append("de`** 2 * 3")
    #expect(stream.takeRows(width: 80).open.first?.text == "a bold and code 2 * 3")
  }

  @Test func aChangeOfWidthLosesAndRepeatsNothing() {
    var stream = MarkdownStream(hasStyles: false)
    stream.append("```\none\ntwo\nthree")
    var rows = stream.takeRows(width: 80).settled.map(\.text)
    stream.append("\nfour\n")
    rows += stream.takeRows(width: 4).settled.map(\.text)
    rows += stream.finish(width: 80).map(\.text)
    #expect(rows == ["┌──", "one", "two", "thre", "e", "four", "└──"])
  }

  @Test func aBlockOfAnyLengthComesThrough() {
    var stream = MarkdownStream(hasStyles: true)
    let source = String(repeating: "word ", count: 20_000)
    stream.append(source)
    let rows = stream.takeRows(width: 80).settled + stream.finish(width: 80)
    #expect(rows.map(\.text).joined(separator: " ").split(separator: " ").count == 20_000)
  }
}
