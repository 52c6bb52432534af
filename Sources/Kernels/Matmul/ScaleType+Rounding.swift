extension ScaleType {
  /// The nearest number of this type, ties to even; too large ones become infinite.
  @inline(__always)
  package func rounded(_ value: Float) -> Float {
    switch self {
    case .float32: value
    case .float16: Float(Float16(value))
    case .bfloat16: ExactMath.roundedToBFloat16(value)
    }
  }
}
