/// One rendering of a program.
///
/// After an error the interpreter is not used again, so throwing paths restore nothing.
struct Interpreter {
  /// A macro together with the scope it was defined in.
  struct Closure {
    var macro: Int
    var scope: Scope
  }

  let program: Program
  let time: TemplateTime?
  /// The given variables and built-in functions, by symbol.
  private let globals: [TemplateValue?]

  var scope = Scope(parent: nil)
  /// What has been written, of the innermost block that is captured.
  var output = ""
  /// The node that is being evaluated, for error messages.
  var location = SourceLocation.unknown

  var namespaces: [TemplateObject] = []
  var closures: [Closure] = []
  var loops: [LoopState] = []
  /// Joiners: the separator, and whether it was used before.
  var joiners: [(separator: String, used: Bool)] = []
  var cyclers: [(items: [TemplateValue], index: Int)] = []

  /// What an element of a new list costs.
  static let elementCost = 4
  private var steps = 0
  private var depth = 0

  init(program: Program, variables: TemplateObject, time: TemplateTime?) {
    self.program = program
    self.time = time
    globals = program.symbols.map { name in
      variables[name] ?? GlobalFunction(rawValue: name).map { .reference(to: .function($0)) }
    }
  }

  mutating func run() throws(TemplateError) -> String {
    _ = try execute(program.body)
    return output
  }

  func fail(_ message: String) -> TemplateError {
    TemplateError(.evaluation(message), at: location)
  }

  /// Pays for work; the budget bounds the time and the memory a rendering takes.
  mutating func spend(_ count: Int) throws(TemplateError) {
    let (sum, overflow) = steps.addingReportingOverflow(count)
    steps = sum
    guard !overflow, sum <= program.limits.steps else {
      throw TemplateError(.limit(.steps, program.limits.steps), at: location)
    }
  }

  /// Pays for reading or making a string.
  mutating func spend(bytesOf text: String) throws(TemplateError) {
    try spend(text.utf8.count / 16)
  }

  /// Goes one level deeper; paired with `leave`.
  mutating func enter() throws(TemplateError) {
    depth += 1
    guard depth <= program.limits.depth else {
      throw TemplateError(.limit(.depth, program.limits.depth), at: location)
    }
  }

  mutating func leave() { depth -= 1 }

  mutating func emit(_ text: String) throws(TemplateError) {
    try check(appending: text, to: output)
    output += text
  }

  /// Appends within the limits on size and work.
  mutating func append(_ text: String, to string: inout String) throws(TemplateError) {
    try check(appending: text, to: string)
    string += text
  }

  private mutating func check(appending text: String, to string: String) throws(TemplateError) {
    try spend(bytesOf: text)
    guard string.utf8.count + text.utf8.count <= program.limits.outputBytes else {
      throw TemplateError(.limit(.outputBytes, program.limits.outputBytes), at: location)
    }
  }

  /// A list of elements, within the limits on size and nesting.
  mutating func makeArray(
    _ elements: [TemplateValue], form: TemplateArray.Form = .list
  ) throws(TemplateError) -> TemplateValue {
    try spend(elements.count * Self.elementCost)
    let array = TemplateArray(elements, form: form)
    try check(depth: array.depth)
    return .array(array)
  }

  func check(depth: Int) throws(TemplateError) {
    guard depth <= program.limits.valueDepth else {
      throw TemplateError(.limit(.valueDepth, program.limits.valueDepth), at: location)
    }
  }

  func value(of symbol: Int) -> TemplateValue {
    scope.value(of: symbol) ?? globals[symbol]
      ?? .undefined("'\(program.symbols[symbol])' is undefined")
  }
}
