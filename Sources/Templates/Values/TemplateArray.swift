/// A list that knows how deeply it is nested, so that walking it needs no guard.
package struct TemplateArray: Sendable {
  /// What Python would have: it shows when the value is printed or asked for its truth.
  package enum Form: Sendable {
    case list
    case tuple
    /// The lazy result of a filter such as `map`: always true, even when nothing is in it.
    case generator
  }

  package let elements: [TemplateValue]
  package let form: Form
  /// 1 for an array of scalars.
  package let depth: Int

  /// Complexity: O(n), for the depth.
  package init(_ elements: [TemplateValue], form: Form = .list) {
    self.elements = elements
    self.form = form
    depth = 1 + (elements.lazy.map(\.depth).max() ?? 0)
  }

  package var count: Int { elements.count }
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
