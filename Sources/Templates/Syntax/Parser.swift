/// Builds the syntax tree of a template from its tokens.
///
/// The depth of nesting is bounded: a template is untrusted, and both the parser and the
/// interpreter recurse over it.
struct Parser {
  private var tokens: [Token]
  private var index = 0
  private let maximumDepth: Int
  private var depth = 0

  var symbols = SymbolTable()
  var macros: [MacroSyntax] = []
  var loopDepth = 0
  /// The names used since the parser last began a macro body, for `varargs` and `kwargs`.
  var mentionsVarargs = false
  var mentionsKwargs = false

  init(tokens: [Token], maximumDepth: Int) {
    self.tokens = tokens
    self.maximumDepth = maximumDepth
  }

  var current: Token {
    index < tokens.count ? tokens[index] : Token(kind: .end, location: .unknown)
  }

  var next: Token {
    index + 1 < tokens.count ? tokens[index + 1] : Token(kind: .end, location: .unknown)
  }

  mutating func advance() { index += 1 }

  func at(_ symbol: Token.Symbol) -> Bool { current.kind == .symbol(symbol) }

  func at(_ name: String) -> Bool { current.kind == .name(name) }

  mutating func skip(_ symbol: Token.Symbol) -> Bool {
    guard at(symbol) else { return false }
    advance()
    return true
  }

  mutating func skip(_ name: String) -> Bool {
    guard at(name) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: Token.Symbol) throws(TemplateError) {
    guard skip(symbol) else { throw unexpected(expecting: "'\(symbol.rawValue)'") }
  }

  mutating func expect(_ name: String) throws(TemplateError) {
    guard skip(name) else { throw unexpected(expecting: "'\(name)'") }
  }

  mutating func expectName() throws(TemplateError) -> String {
    guard case .name(let name) = current.kind else { throw unexpected(expecting: "a name") }
    advance()
    return name
  }

  mutating func expectBlockEnd() throws(TemplateError) {
    guard current.kind == .blockEnd else { throw unexpected(expecting: "'%}'") }
    advance()
  }

  func unexpected(expecting expected: String? = nil) -> TemplateError {
    let expectation = expected.map { ", expected \($0)" } ?? ""
    return TemplateError(
      .syntax("unexpected \(current.label)\(expectation)"), at: current.location)
  }

  /// Goes one level deeper; every call is paired with `leave`.
  ///
  /// After an error the parser is not used again, so that a throwing path need not leave.
  mutating func enter() throws(TemplateError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw TemplateError(.limit(.depth, maximumDepth), at: current.location)
    }
  }

  mutating func leave() { depth -= 1 }
}
