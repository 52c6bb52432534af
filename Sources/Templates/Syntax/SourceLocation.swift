/// A place in a template: line and column in code points, both from 1.
struct SourceLocation: Sendable {
  var line: Int32
  var column: Int32

  static let unknown = SourceLocation(line: 0, column: 0)
}

extension TemplateError {
  init(_ kind: Kind, at location: SourceLocation) {
    self.init(kind: kind, line: Int(location.line), column: Int(location.column))
  }
}
