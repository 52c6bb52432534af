/// TeX as characters, where characters suffice.
///
/// What a line of Unicode can say (Greek, operators, scripts, simple fractions and roots) is said
/// so; anything else is left to be shown as it was written.
package struct TeX {
  private let scalars: [Character]
  private var index = 0
  private var depth = 0

  private static let deepest = 20

  private init(_ source: Substring) {
    scalars = Array(source)
  }

  /// The characters for a formula with or without its delimiters; nil where they do not suffice.
  package static func unicode(of source: String) -> String? {
    var body = source[...]
    for (opening, closing) in [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")]
    where body.hasPrefix(opening) {
      body.removeFirst(opening.count)
      if body.hasSuffix(closing) { body.removeLast(closing.count) }
      break
    }
    var reader = TeX(body)
    guard let text = reader.sequence(until: nil) else { return nil }
    return tidied(text)
  }

  /// One space between words, none at the ends of lines.
  private static func tidied(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Reads to a closing brace or the end.
  private mutating func sequence(until end: Character?) -> String? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { return nil }
    var result = ""
    while index < scalars.count {
      let character = scalars[index]
      if character == end {
        index += 1
        return result
      }
      switch character {
      case "^", "_":
        index += 1
        guard let script = atom() else { return nil }
        result += Self.script(script, isSuperscript: character == "^")
      case "'":
        index += 1
        result += "′"
      case "&", "~":
        index += 1
        result += " "
      case "}":
        return nil
      case "%", "#":
        return nil
      default:
        guard let part = atom() else { return nil }
        result += part
      }
    }
    return end == nil ? result : nil
  }

  /// A character, a group or a command with its arguments.
  private mutating func atom() -> String? {
    while index < scalars.count, scalars[index] == " ", index + 1 < scalars.count {
      index += 1
      return " "
    }
    guard index < scalars.count else { return nil }
    let character = scalars[index]
    index += 1
    switch character {
    case "{": return sequence(until: "}")
    case "\\": return command()
    case "-": return "−"
    case "*": return "∗"
    case "\n": return " "
    default: return String(character)
    }
  }

  /// An argument: the next group or character.
  private mutating func argument() -> String? {
    skipSpaces()
    return atom()
  }

  private mutating func skipSpaces() {
    while index < scalars.count, scalars[index].isWhitespace { index += 1 }
  }

  private mutating func command() -> String? {
    guard index < scalars.count else { return nil }
    var name = ""
    while index < scalars.count, scalars[index].isASCII, scalars[index].isLetter {
      name.append(scalars[index])
      index += 1
    }
    if name.isEmpty {
      let character = scalars[index]
      index += 1
      return punctuation(character)
    }
    if let symbol = TeXSymbols.symbols[name] { return symbol }
    if TeXSymbols.functions.contains(name) { return function(name) }
    return structure(name)
  }

  private func punctuation(_ character: Character) -> String? {
    switch character {
    case ",", ";", ":", " ": " "
    case "!": ""
    case "\\": "\n"
    case "|": "‖"
    case "{", "}", "%", "$", "&", "#", "_": String(character)
    default: nil
    }
  }

  /// A name set upright, with the space that TeX would put after it.
  private func function(_ name: String) -> String {
    guard index < scalars.count else { return name }
    let next = scalars[index]
    return next.isLetter || next == "\\" ? name + " " : name
  }

  private mutating func structure(_ name: String) -> String? {
    switch name {
    case "frac", "dfrac", "tfrac":
      guard let top = argument(), let bottom = argument() else { return nil }
      return Self.fraction(top, bottom)
    case "binom":
      guard let top = argument(), let bottom = argument() else { return nil }
      return "(\(top) choose \(bottom))"
    case "sqrt": return root()
    case "text", "textrm", "textbf", "textit", "mbox", "operatorname": return rawArgument()
    case "mathrm", "mathbf", "mathit", "mathsf", "boldsymbol", "bm", "boxed", "mathcal":
      return argument()
    case "mathbb":
      guard let letters = argument() else { return nil }
      return String(letters.map { TeXSymbols.doubleStruck[$0] ?? $0 })
    case "hat", "bar", "vec", "dot", "ddot", "tilde", "overline":
      guard let base = argument(), base.count == 1, let mark = TeXSymbols.accents[name] else {
        return nil
      }
      return base + mark
    case "left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "bigg", "Bigg":
      skipSpaces()
      if index < scalars.count, scalars[index] == "." { index += 1 }
      return ""
    case "displaystyle", "textstyle", "limits", "nolimits", "quad", "qquad":
      return name.hasSuffix("quad") ? "  " : ""
    case "pmod":
      return argument().map { " (mod \($0))" }
    case "begin", "end":
      guard let environment = rawArgument(), TeXSymbols.environments.contains(environment) else {
        return nil
      }
      return name == "end" ? "" : " "
    default: return nil
    }
  }

  /// The text of a group as it stands.
  private mutating func rawArgument() -> String? {
    skipSpaces()
    guard index < scalars.count, scalars[index] == "{" else { return nil }
    guard let end = scalars[index...].firstIndex(of: "}") else { return nil }
    let text = String(scalars[(index + 1)..<end])
    index = end + 1
    return text.contains("\\") || text.contains("{") ? nil : text
  }

  private mutating func root() -> String? {
    var sign = "√"
    skipSpaces()
    if index < scalars.count, scalars[index] == "[" {
      index += 1
      guard let degree = sequence(until: "]") else { return nil }
      switch degree {
      case "3": sign = "∛"
      case "4": sign = "∜"
      default:
        guard let raised = Self.mapped(degree, TeXSymbols.superscripts) else { return nil }
        sign = raised + "√"
      }
    }
    return argument().map { sign + Self.grouped($0) }
  }

  private static func fraction(_ top: String, _ bottom: String) -> String {
    TeXSymbols.fractions["\(top)/\(bottom)"] ?? "\(grouped(top))/\(grouped(bottom))"
  }

  /// In parentheses, unless it is one thing.
  private static func grouped(_ text: String) -> String {
    let text = text.split(separator: " ").joined(separator: " ")
    let isOne =
      text.count == 1
      || text.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
      || text.dropFirst().allSatisfy { isRaised($0) }
      || (text.hasPrefix("(") && text.hasSuffix(")") && !text.dropFirst().dropLast().contains("("))
    return isOne ? text : "(\(text))"
  }

  private static func isRaised(_ character: Character) -> Bool {
    TeXSymbols.superscripts.values.contains(character)
      || TeXSymbols.subscripts.values.contains(character) || character == "′"
  }

  private static func script(_ text: String, isSuperscript: Bool) -> String {
    let text = text.filter { $0 != " " }
    if text == "∘", isSuperscript { return "°" }
    if text == "′" || text == "″" { return text }
    let table = isSuperscript ? TeXSymbols.superscripts : TeXSymbols.subscripts
    if let mapped = mapped(text, table) { return mapped }
    return (isSuperscript ? "^" : "_") + (text.count == 1 ? text : "(\(text))")
  }

  private static func mapped(_ text: String, _ table: [Character: Character]) -> String? {
    let characters = text.compactMap { table[$0] }
    return characters.count == text.count && !text.isEmpty ? String(characters) : nil
  }
}
