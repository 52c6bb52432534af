import Foundation
import Markdown
import Testing

@Suite struct LayoutTests {
  static func rows(_ source: String, width: Int = 80, hasStyles: Bool = true) -> [StyledLine] {
    var stream = MarkdownStream(hasStyles: hasStyles)
    stream.append(source)
    return stream.finish(width: width)
  }

  static func text(_ source: String, width: Int = 80, hasStyles: Bool = true) -> [String] {
    rows(source, width: width, hasStyles: hasStyles).map(\.text)
  }

  static func fixture(_ name: String) throws -> String {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"))
    return try String(contentsOf: url, encoding: .utf8)
  }

  /// The whole tour against what was looked at and kept.
  @Test(arguments: [40, 80, 200])
  func tour(_ width: Int) throws {
    let rows = Self.rows(try Self.fixture("tour.md"), width: width)
    let shown = rows.map { $0.rendered(hasStyles: true).replacing("\u{1B}", with: "␛") }
      .joined(separator: "\n")
    let name = "tour-\(width).txt"
    if ProcessInfo.processInfo.environment["PIPIT_WRITE_SNAPSHOTS"] != nil {
      let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/\(name)")
      try Data(shown.utf8).write(to: path)
      return
    }
    #expect(shown == (try Self.fixture(name)))
    for row in rows { #expect(row.width <= width, "\(row.text)") }
  }

  @Test func noRowIsWiderThanTheTerminal() throws {
    let source = try Self.fixture("tour.md")
    for width in 4...120 {
      for row in Self.rows(source, width: width) where row.width > max(width, 12) {
        Issue.record("\(row.text) at \(width)")
      }
    }
  }

  @Test func withoutStylesMarksStay() {
    let rows = Self.text("## A **b**\n\n`c`", hasStyles: false)
    #expect(rows == ["## A b", "", "`c`"])
  }

  @Test func wideTextBreaksBetweenCharactersAndKeepsClosingMarks() {
    #expect(Self.text("漢字漢字、漢字", width: 8) == ["漢字漢", "字、漢字"])
    #expect(Self.text("e\u{301}e\u{301}e\u{301} e\u{301}", width: 3).count == 2)
  }

  @Test func aLongWordIsBroken() {
    #expect(Self.text("abcdefghij", width: 4) == ["abcd", "efgh", "ij"])
  }

  @Test func aTableThatDoesNotFitBecomesRecords() {
    let table = "|aaaaaaaa|bbbbbbbb|cccccccc|\n|-|-|-|\n|1|2|3|"
    #expect(Self.text(table, width: 20) == ["aaaaaaaa: 1", "bbbbbbbb: 2", "cccccccc: 3"])
  }

  @Test func aTableNarrowsItsWidestColumn() {
    let table = "|a|b|\n|-|-|\n|x|one two three four five six|"
    #expect(
      Self.text(table, width: 20) == [
        "a │ b", "──┼─────────────────", "x │ one two three", "  │ four five six",
      ])
  }

  @Test func codeKeepsItsSpacesAndIsNotIndented() {
    #expect(Self.text("```c\nint  a;\n\tb\n```") == ["┌── c", "int  a;", "    b", "└──"])
  }

  @Test func deepNestingIsText() {
    let deep = String(repeating: "> ", count: 400) + "x"
    #expect(Self.text(deep, width: 80).last?.hasSuffix("x") == true)
    let lists = (0..<300).map { String(repeating: " ", count: $0 * 2) + "- x" }
    #expect(!Self.text(lists.joined(separator: "\n")).isEmpty)
    #expect(!Self.text(String(repeating: "*a **b ", count: 2000)).isEmpty)
    #expect(!Self.text(String(repeating: "[", count: 5000)).isEmpty)
  }
}
