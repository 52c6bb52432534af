/// The type of a metadata value.
package enum GGUFValueType: UInt32, Sendable, Hashable {
  case uint8, int8, uint16, int16, uint32, int32, float32, bool, string, array
  case uint64, int64, float64

  /// Bytes of a value, or nil if they vary.
  var fixedSize: Int? {
    switch self {
    case .uint8, .int8, .bool: 1
    case .uint16, .int16: 2
    case .uint32, .int32, .float32: 4
    case .uint64, .int64, .float64: 8
    case .string, .array: nil
    }
  }

  /// The fewest bytes that a value takes.
  var minimumSize: Int {
    fixedSize ?? (self == .string ? 8 : 12)
  }

  /// What a message calls it.
  package var label: String {
    switch self {
    case .uint8, .int8, .uint16, .int16, .uint32, .int32, .uint64, .int64: "an integer"
    case .float32, .float64: "a floating-point number"
    case .bool: "a truth value"
    case .string: "text"
    case .array: "an array"
    }
  }
}
