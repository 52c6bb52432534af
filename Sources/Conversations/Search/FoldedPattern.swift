/// A text to be found whatever the case of its letters, in bytes of UTF-8.
///
/// The bytes may be the inside of a JSON string: then escapes stand for what they mean as far as a
/// pattern can hold it, a quotation mark and a backslash.
struct FoldedPattern: Sendable, Hashable {
  /// For each scalar of the text the spellings it may have.
  private let spellings: [[[UInt8]]]
  /// Whether a match may begin with a byte.
  private let beginnings: [Bool]
  private let isInJSON: Bool

  /// A pattern; nil for an empty text.
  init?(_ text: String, isInJSON: Bool) {
    var spellings: [[[UInt8]]] = []
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      var forms = [String(scalar)]
      for form in [
        properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping,
      ] where !forms.contains(form) {
        forms.append(form)
      }
      if isInJSON, scalar == "\"" || scalar == "\\" { forms = ["\\" + String(scalar)] }
      spellings.append(forms.map { Array($0.utf8) })
    }
    guard let first = spellings.first else { return nil }
    self.spellings = spellings
    self.isInJSON = isInJSON
    var beginnings = [Bool](repeating: false, count: 256)
    for form in first { if let byte = form.first { beginnings[Int(byte)] = true } }
    self.beginnings = beginnings
  }

  /// The first match in a range of the bytes.
  func firstMatch(in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    var position = range.lowerBound
    while position < range.upperBound {
      if beginnings[Int(bytes[position])],
        let end = match(bytes, at: position, end: range.upperBound)
      {
        return position..<end
      }
      position += 1
    }
    return nil
  }

  private func match(_ bytes: [UInt8], at start: Int, end: Int) -> Int? {
    var position = start
    for forms in spellings {
      guard let form = forms.first(where: { starts(bytes, with: $0, at: position, end: end) })
      else { return nil }
      position += form.count
    }
    return position
  }

  private func starts(
    _ bytes: [UInt8], with form: [UInt8], at position: Int, end: Int
  ) -> Bool {
    guard position + form.count <= end else { return false }
    for offset in form.indices where bytes[position + offset] != form[offset] { return false }
    return true
  }

  /// How often the pattern occurs in a range of the bytes.
  func count(in bytes: [UInt8], _ range: Range<Int>) -> Int {
    var count = 0
    var rest = range
    while let match = firstMatch(in: bytes, rest) {
      // The n of \n is no letter.
      if isInJSON, isEscaped(bytes, match.lowerBound, from: range.lowerBound) {
        rest = (match.lowerBound + 1)..<range.upperBound
        continue
      }
      count += 1
      rest = match.upperBound..<range.upperBound
    }
    return count
  }

  private func isEscaped(_ bytes: [UInt8], _ position: Int, from start: Int) -> Bool {
    var backslashes = 0
    while position - backslashes > start,
      bytes[position - backslashes - 1] == UInt8(ascii: "\\")
    {
      backslashes += 1
    }
    return backslashes % 2 == 1
  }
}
