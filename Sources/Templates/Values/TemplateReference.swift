/// A handle to something in the interpreter's tables.
///
/// A handle and not the thing, so that a value can never contain itself.
package struct TemplateReference: Sendable, Hashable {
  enum Target: Sendable, Hashable {
    case namespace(Int)
    case macro(Int)
    case loop(Int)
    case joiner(Int)
    case cycler(Int)
    case function(GlobalFunction)
    /// A method named but not called; it only exists to be defined.
    case method
  }

  let target: Target

  var typeName: String {
    switch target {
    case .namespace: "Namespace"
    case .macro: "Macro"
    case .loop: "LoopContext"
    case .joiner: "Joiner"
    case .cycler: "Cycler"
    case .function: "function"
    case .method: "builtin_function_or_method"
    }
  }
}

extension TemplateValue {
  static func reference(to target: TemplateReference.Target) -> TemplateValue {
    .reference(TemplateReference(target: target))
  }
}
