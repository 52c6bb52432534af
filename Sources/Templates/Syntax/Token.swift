/// One lexical element of a template.
struct Token: Sendable {
  enum Kind: Sendable, Equatable {
    /// Text outside of tags, whitespace control already applied.
    case text(String)
    case blockBegin
    case blockEnd
    case outputBegin
    case outputEnd
    case name(String)
    case string(String)
    case integer(Int)
    case float(Double)
    case symbol(Symbol)
    case end
  }

  /// Operators and brackets.
  enum Symbol: String, Sendable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case slash = "/"
    case doubleSlash = "//"
    case star = "*"
    case doubleStar = "**"
    case percent = "%"
    case tilde = "~"
    case leftBracket = "["
    case rightBracket = "]"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case equal = "=="
    case notEqual = "!="
    case greater = ">"
    case greaterOrEqual = ">="
    case less = "<"
    case lessOrEqual = "<="
    case assign = "="
    case dot = "."
    case colon = ":"
    case pipe = "|"
    case comma = ","
  }

  var kind: Kind
  var location: SourceLocation

  /// How an error message calls the token.
  var label: String {
    switch kind {
    case .text: "text"
    case .blockBegin: "'{%'"
    case .blockEnd: "'%}'"
    case .outputBegin: "'{{'"
    case .outputEnd: "'}}'"
    case .name(let name): "'\(name)'"
    case .string: "a string"
    case .integer(let value): "'\(value)'"
    case .float(let value): "'\(value)'"
    case .symbol(let symbol): "'\(symbol.rawValue)'"
    case .end: "the end of the template"
    }
  }
}
