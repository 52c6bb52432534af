/// A chat template, compiled once and rendered many times.
package struct ChatTemplate: Sendable {
  package let source: String

  /// Compiles `source`, with the settings chat templates are written for (`trim_blocks` and
  /// `lstrip_blocks`).
  package init(source: String, limits: TemplateLimits = TemplateLimits()) throws(TemplateError) {
    self.source = source
  }

  /// The text for the given variables; `time` is what `strftime_now` formats.
  package func render(
    _ variables: TemplateObject, time: TemplateTime? = nil
  ) throws(TemplateError) -> String {
    throw TemplateError(kind: .unsupported("everything"), line: 0, column: 0)
  }
}
