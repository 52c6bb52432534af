// Unpacking writes eight codes at a time. The standard library's way to do that is unsafe because
// it works for types with padding too; for integers it is only a bounds check.

extension MutableSpan<UInt8> {
  /// Stores an integer's little-endian bytes at any alignment; traps outside the span.
  @inline(__always)
  mutating func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    var bytes = unsafe self.mutableBytes
    bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }
}
