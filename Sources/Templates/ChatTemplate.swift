/// A chat template, compiled once and rendered many times.
package struct ChatTemplate: Sendable {
  package let source: String
  private let program: Program

  /// Compiles `source`, with the settings chat templates are written for (`trim_blocks` and
  /// `lstrip_blocks`).
  package init(source: String, limits: TemplateLimits = TemplateLimits()) throws(TemplateError) {
    self.source = source
    program = try Program(source: source, limits: limits)
  }

  /// The text for the given variables; `time` is what `strftime_now` formats.
  package func render(
    _ variables: TemplateObject, time: TemplateTime? = nil
  ) throws(TemplateError) -> String {
    var interpreter = Interpreter(program: program, variables: variables, time: time)
    return try interpreter.run()
  }

  /// Whether the template mentions a variable of this name anywhere.
  package func mentions(_ variable: String) -> Bool {
    program.symbols.contains { $0.equals(variable) }
  }
}
