package import Kernels

/// An element type of safetensors.
package enum SafetensorsType: String, Sendable, Hashable {
  case bool = "BOOL"
  case uint8 = "U8"
  case int8 = "I8"
  case float8E4M3 = "F8_E4M3"
  case float8E5M2 = "F8_E5M2"
  case float8E8M0 = "F8_E8M0"
  case int16 = "I16"
  case uint16 = "U16"
  case float16 = "F16"
  case bfloat16 = "BF16"
  case int32 = "I32"
  case uint32 = "U32"
  case float32 = "F32"
  case int64 = "I64"
  case uint64 = "U64"
  case float64 = "F64"

  /// Bytes of an element.
  package var byteCount: Int {
    switch self {
    case .bool, .uint8, .int8, .float8E4M3, .float8E5M2, .float8E8M0: 1
    case .int16, .uint16, .float16, .bfloat16: 2
    case .int32, .uint32, .float32: 4
    case .int64, .uint64, .float64: 8
    }
  }

  /// The type as scales or dense elements; nil if Pipit does not compute with it.
  package var scaleType: ScaleType? {
    switch self {
    case .float16: .float16
    case .bfloat16: .bfloat16
    case .float32: .float32
    default: nil
    }
  }
}
