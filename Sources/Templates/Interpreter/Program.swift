/// A compiled template.
struct Program: Sendable {
  var body: [Statement]
  var macros: [MacroSyntax]
  var symbols: [String]
  var limits: TemplateLimits
  /// The numbers of the names the interpreter itself gives values to.
  var loop: Int
  var caller: Int
  var varargs: Int
  var kwargs: Int

  init(source: String, limits: TemplateLimits) throws(TemplateError) {
    guard source.utf8.count <= limits.sourceBytes else {
      throw TemplateError(.limit(.sourceBytes, limits.sourceBytes), at: .unknown)
    }
    var parser = Parser(tokens: try Lexer.tokens(of: source), maximumDepth: limits.depth)
    body = try parser.parseTemplate()
    loop = parser.symbols.number(of: "loop")
    caller = parser.symbols.number(of: "caller")
    varargs = parser.symbols.number(of: "varargs")
    kwargs = parser.symbols.number(of: "kwargs")
    macros = parser.macros
    symbols = parser.symbols.names
    self.limits = limits
  }
}
