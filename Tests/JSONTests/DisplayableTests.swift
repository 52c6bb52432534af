import JSON
import Testing

@Suite struct DisplayableTests {
  @Test(arguments: [
    ("plain text, ünïcödé 🏠", "plain text, ünïcödé 🏠"),
    ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
    ("\u{9B}31m", "31m"),
    ("a\tb\r\nc\u{2028}d", "a b  c d"),
    ("bell\u{7} del\u{7F} nul\u{0}", "bell del nul"),
    ("\u{202E}evil\u{2066}\u{200B}\u{FEFF}", "evil"),
    ("", ""),
  ]) func controlCharactersGo(text: String, expected: String) {
    #expect(text.displayable() == expected)
  }

  @Test func longTextIsCut() {
    #expect("abcdef".displayable(limit: 3) == "abc…")
    #expect("abc".displayable(limit: 3) == "abc")
  }
}
