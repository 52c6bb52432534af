/// A handle to something in the interpreter's tables.
///
/// A handle and not the thing, so that a value can never contain itself.
package struct TemplateReference: Sendable, Hashable {
  enum Target: Sendable, Hashable {
    case namespace(Int)
    case macro(Int)
    case function(GlobalFunction)
  }

  let target: Target
}
