/// A dictionary that keeps the order in which keys were first set.
///
/// Keys are scalars (strings nearly always), equal as Python's are.
package struct TemplateObject: Sendable {
  package private(set) var keys: [TemplateValue] = []
  package private(set) var values: [TemplateValue] = []
  /// 1 for an object of scalars.
  package private(set) var depth = 1
  /// Positions by key, once there are too many keys to look through.
  private var index: [TemplateValue: Int] = [:]

  private static let scannedCount = 8

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
    get { self[.string(key)] }
    set { self[.string(key)] = newValue }
  }

  package subscript(key: TemplateValue) -> TemplateValue? {
    get { position(of: key).map { values[$0] } }
    set {
      guard let newValue else { return }
      depth = max(depth, 1 + newValue.depth)
      if let position = position(of: key) {
        values[position] = newValue
        return
      }
      keys.append(key)
      values.append(newValue)
      if keys.count == Self.scannedCount + 1 {
        for (position, key) in keys.enumerated() { index[key] = position }
      } else if keys.count > Self.scannedCount {
        index[key] = keys.count - 1
      }
    }
  }

  private func position(of key: TemplateValue) -> Int? {
    keys.count > Self.scannedCount ? index[key] : keys.firstIndex(of: key)
  }

  /// Pairs in order.
  package var pairs: Zip2Sequence<[TemplateValue], [TemplateValue]> { zip(keys, values) }
}

extension TemplateObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, TemplateValue)...) { self.init(elements) }
}
