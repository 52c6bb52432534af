/// A list or tuple that knows how deeply it is nested, so that walking it needs no guard.
package struct TemplateArray: Sendable {
  package let elements: [TemplateValue]
  /// Printed with parentheses, as Python prints a tuple.
  package let isTuple: Bool
  /// 1 for an array of scalars.
  package let depth: Int

  /// Complexity: O(n), for the depth.
  package init(_ elements: [TemplateValue], isTuple: Bool = false) {
    self.elements = elements
    self.isTuple = isTuple
    depth = 1 + (elements.lazy.map(\.depth).max() ?? 0)
  }
}

extension TemplateValue {
  /// 0 for a scalar, one more than the deepest element for an array or object.
  var depth: Int {
    switch self {
    case .array(let array): array.depth
    case .object(let object): object.depth
    default: 0
    }
  }
}
