/// A dictionary with string keys that keeps the order in which keys were first set.
package struct TemplateObject: Sendable {
  package private(set) var keys: [String] = []
  package private(set) var values: [TemplateValue] = []
  /// 1 for an object of scalars.
  package private(set) var depth = 1
  private var index: [ExactString: Int] = [:]

  package init() {}

  /// An object of the given pairs; of equal keys the last one's value counts.
  package init(_ pairs: [(String, TemplateValue)]) {
    for (key, value) in pairs { self[key] = value }
  }

  package var count: Int { keys.count }
  package var isEmpty: Bool { keys.isEmpty }

  /// The value of `key`; nil when there is none.
  ///
  /// Setting nil changes nothing.
  package subscript(key: String) -> TemplateValue? {
    get { index[ExactString(key)].map { values[$0] } }
    set {
      guard let newValue else { return }
      depth = max(depth, 1 + newValue.depth)
      if let position = index[ExactString(key)] {
        values[position] = newValue
      } else {
        index[ExactString(key)] = keys.count
        keys.append(key)
        values.append(newValue)
      }
    }
  }

  /// Pairs in order.
  package var pairs: Zip2Sequence<[String], [TemplateValue]> { zip(keys, values) }
}

extension TemplateObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, TemplateValue)...) { self.init(elements) }
}
