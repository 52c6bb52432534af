/// What keys and values are rounded to before any query reads them.
package enum KVType: Sendable, Hashable, CaseIterable {
  /// As computed: what the reference backend uses.
  case float32
  case float16

  /// The type of so many bits, if there is one.
  package init?(bits: Int) {
    guard let type = Self.allCases.first(where: { $0.bits == bits }) else { return nil }
    self = type
  }

  package var bits: Int {
    switch self {
    case .float32: 32
    case .float16: 16
    }
  }
}
