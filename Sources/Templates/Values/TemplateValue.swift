/// A value that templates compute with: what Python would hold, as a closed set.
package enum TemplateValue: Sendable {
  /// A name or attribute that does not exist; the payload says which, for error messages.
  case undefined(String)
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array(TemplateArray)
  case object(TemplateObject)
  /// Something that lives in the interpreter: a namespace, a macro, a built-in function.
  case reference(TemplateReference)

  /// A list of the given elements.
  package static func list(_ elements: [TemplateValue]) -> TemplateValue {
    .array(TemplateArray(elements))
  }
}

extension TemplateValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(nilLiteral: ()) { self = .null }
}
