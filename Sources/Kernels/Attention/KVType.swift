/// What keys and values are rounded to before any query reads them.
package enum KVType: Sendable, Hashable {
  /// As computed: what the reference backend uses.
  case float32
  case float16
  /// Codes with scales for the older blocks, float16 for the newest: rule N8.
  case quantised(keys: CodeWidth, values: CodeWidth)

  /// Bits of a code.
  package enum CodeWidth: Int, Sendable, Hashable, CaseIterable {
    case eight = 8
    case four = 4
  }

  package static let int8 = KVType.quantised(keys: .eight, values: .eight)
  package static let int4 = KVType.quantised(keys: .four, values: .four)

  /// The type of so many bits of a key and of a value, if there is one.
  package init?(keyBits: Int, valueBits: Int) {
    guard
      let type = Self.allCases.first(where: { $0.keyBits == keyBits && $0.valueBits == valueBits })
    else { return nil }
    self = type
  }

  package var keyBits: Int {
    switch self {
    case .float32: 32
    case .float16: 16
    case .quantised(let keys, _): keys.rawValue
    }
  }

  package var valueBits: Int {
    switch self {
    case .float32: 32
    case .float16: 16
    case .quantised(_, let values): values.rawValue
    }
  }

  package var isQuantised: Bool {
    if case .quantised = self { true } else { false }
  }

  /// What keys and values are rounded to as they are stored.
  package var stored: KVType { isQuantised ? .float16 : self }
}

extension KVType: CaseIterable {
  package static let allCases: [KVType] =
    [.float32, .float16]
    + CodeWidth.allCases.flatMap { keys in
      CodeWidth.allCases.map { .quantised(keys: keys, values: $0) }
    }
}

extension KVType: CustomStringConvertible {
  /// Part of what files are known by.
  package var description: String {
    switch self {
    case .float32: "float32"
    case .float16: "float16"
    case .quantised(let keys, let values): "int\(keys.rawValue)/int\(values.rawValue)"
    }
  }
}
