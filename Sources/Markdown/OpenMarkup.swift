/// What is missing for the emphasis and code that the last paragraph has opened.
///
/// Only for show, while the rest is still to come: the mark would stand there as characters and
/// vanish when it is closed.
enum OpenMarkup {
  static func closing(_ source: Substring) -> String {
    let text = source.utf8
    // A fence is no paragraph, and in the middle of one nothing is to be closed.
    guard text.last != UInt8(ascii: "\n"), !isInsideFence(source) else { return "" }
    let paragraph = lastParagraph(text)
    var marks: [String] = []
    var index = paragraph.startIndex
    while index < paragraph.endIndex {
      let byte = paragraph[index]
      if byte == UInt8(ascii: "\\") {
        index = min(index + 2, paragraph.endIndex)
        continue
      }
      guard byte == UInt8(ascii: "`") || byte == UInt8(ascii: "*") else {
        index += 1
        continue
      }
      let length = paragraph[index...].prefix { $0 == byte }.count
      let mark = String(repeating: byte == UInt8(ascii: "`") ? "`" : "*", count: length)
      let end = index + length
      if marks.last == mark {
        marks.removeLast()
      } else if marks.last?.hasPrefix("`") != true, opens(paragraph, after: end, length: length) {
        marks.append(mark)
      }
      index = end
    }
    return marks.reversed().joined()
  }

  /// Only what stands right before a word opens, and only at a length that Markdown knows.
  private static func opens(_ text: [UInt8], after end: Int, length: Int) -> Bool {
    length <= 3 && end < text.count && text[end] != UInt8(ascii: " ")
      && text[end] != UInt8(ascii: "\n")
  }

  private static func lastParagraph(_ text: Substring.UTF8View) -> [UInt8] {
    let bytes = Array(text)
    var start = bytes.count
    while start > 0 {
      if start >= 2, bytes[start - 1] == UInt8(ascii: "\n"), bytes[start - 2] == UInt8(ascii: "\n")
      {
        break
      }
      // A list's item is a paragraph of its own.
      if bytes[start - 1] == UInt8(ascii: "\n"), start < bytes.count,
        [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")].contains(bytes[start])
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start])
      {
        break
      }
      start -= 1
    }
    return Array(bytes[start...])
  }

  private static func isInsideFence(_ source: Substring) -> Bool {
    var fence: Substring?
    for line in source.split(separator: "\n") {
      let text = line.drop { $0 == " " || $0 == ">" }
      let mark = text.prefix { $0 == "`" || $0 == "~" }
      guard mark.count >= 3 else { continue }
      if let open = fence {
        if mark.hasPrefix(open), mark.count == text.count { fence = nil }
      } else {
        fence = mark
      }
    }
    return fence != nil
  }
}
