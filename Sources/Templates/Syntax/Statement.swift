/// A node that writes output or changes variables.
indirect enum Statement: Sendable {
  case text(String)
  case output(Expression, SourceLocation)
  case set([AssignmentTarget], isTuple: Bool, Expression, SourceLocation)
  case capture(AssignmentTarget, [Postfix], [Statement], SourceLocation)
  case branch([Branch], otherwise: [Statement])
  case loop(Loop)
  /// Defines the macro with this number.
  case macro(Int, SourceLocation)
  case callBlock(Expression, callerMacro: Int, SourceLocation)
  case filterBlock([Postfix], [Statement], SourceLocation)
  case with([WithBinding], [Statement], SourceLocation)
  case exitLoop(LoopExit)
}

struct Branch: Sendable {
  var condition: Expression
  var body: [Statement]
}

struct Loop: Sendable {
  var targets: [AssignmentTarget]
  /// `for a, b in …` takes every item apart; `for a in …` does not.
  var unpacks: Bool
  var sequence: Expression
  var condition: Expression?
  var body: [Statement]
  var otherwise: [Statement]
  var location: SourceLocation
}

struct WithBinding: Sendable {
  var target: Int
  var value: Expression
}

enum LoopExit: Sendable {
  case `break`
  case `continue`
}

enum AssignmentTarget: Sendable {
  case variable(Int)
  /// `namespace.attribute`.
  case attribute(Int, String)
}

/// A macro as written; closures over a scope are made when its definition is executed.
struct MacroSyntax: Sendable {
  struct Parameter: Sendable {
    var symbol: Int
    var name: String
    var defaultValue: Expression?
  }

  var name: String
  var symbol: Int
  var parameters: [Parameter]
  var body: [Statement]
  /// Whether the body mentions `varargs` or `kwargs`, and so takes surplus arguments.
  var takesExtraPositional: Bool
  var takesExtraNamed: Bool
}
