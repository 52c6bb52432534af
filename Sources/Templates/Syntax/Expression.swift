// Chains (`a + b + c`, `x.y[0]|trim`, `p or q or r`) are flat lists and not nested nodes: their
// length is then no depth, and the interpreter walks them in a loop.

/// A node that has a value.
indirect enum Expression: Sendable {
  case literal(TemplateValue)
  /// A variable, by its number in the symbol table.
  case name(Int, SourceLocation)
  case list([Expression], SourceLocation)
  case tuple([Expression], SourceLocation)
  case dictionary([DictionaryItem], SourceLocation)
  case postfix(Expression, [Postfix])
  case sign(Arithmetic, Expression, SourceLocation)
  case not(Expression)
  case and([Expression])
  case or([Expression])
  case comparison(Expression, [ComparisonStep])
  case arithmetic(Expression, [ArithmeticStep])
  case concatenation([Expression], SourceLocation)
  /// `value if condition else …`: the first arm whose condition holds.
  case conditional([ConditionalArm], otherwise: Expression?)
}

struct DictionaryItem: Sendable {
  var key: Expression
  var value: Expression
}

struct ConditionalArm: Sendable {
  var condition: Expression
  var value: Expression
}

enum Arithmetic: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case floorDivide = "//"
  case remainder = "%"
  case power = "**"
}

struct ArithmeticStep: Sendable {
  var operation: Arithmetic
  var operand: Expression
  var location: SourceLocation
}

enum Comparison: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case isIn = "in"
  case isNotIn = "not in"
}

struct ComparisonStep: Sendable {
  var operation: Comparison
  var operand: Expression
  var location: SourceLocation
}

/// What may follow an expression: `.name`, `[…]`, `(…)`, `|filter`, `is test`.
struct Postfix: Sendable {
  enum Operation: Sendable {
    case attribute(String)
    case item(Expression)
    case slice(from: Expression?, to: Expression?, step: Expression?)
    case call(CallSyntax)
    case filter(Filter, CallSyntax)
    case test(ValueTest, CallSyntax, negated: Bool)
    /// A filter or test there is none of; an error only where it is reached, as in Jinja.
    case unsupported(String)
  }

  var operation: Operation
  var location: SourceLocation
}

/// The arguments of a call as written.
struct CallSyntax: Sendable {
  struct Named: Sendable {
    var name: String
    var value: Expression
  }

  var positional: [Expression] = []
  var named: [Named] = []
  /// `*sequence`.
  var spread: Expression?
  /// `**mapping`.
  var spreadNamed: Expression?

  var isEmpty: Bool {
    positional.isEmpty && named.isEmpty && spread == nil && spreadNamed == nil
  }
}
