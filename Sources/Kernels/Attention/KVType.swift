/// What keys and values are rounded to before any query reads them.
package enum KVType: Sendable, Hashable, CaseIterable {
  /// As computed: what the reference backend uses.
  case float32
  case float16
  /// Codes with scales for the older blocks, float16 for the newest: rule N8.
  case int8
  case int4

  /// The type of so many bits, if there is one.
  package init?(bits: Int) {
    guard let type = Self.allCases.first(where: { $0.bits == bits }) else { return nil }
    self = type
  }

  package var bits: Int {
    switch self {
    case .float32: 32
    case .float16: 16
    case .int8: 8
    case .int4: 4
    }
  }

  package var isQuantised: Bool { self == .int8 || self == .int4 }

  /// What keys and values are rounded to as they are stored.
  package var stored: KVType { isQuantised ? .float16 : self }
}
