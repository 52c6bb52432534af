extension Activations {
  /// Bytes that activations of this size take at most once they are in use: one quantisation in
  /// groups of 32 with its sums, and the workers' panels and tables.
  package static func byteCount(capacity: Int, columns: Int, threads: Int) -> Int {
    let elements = capacity * columns
    return elements + 4 * (elements / 32) * MemoryLayout<Float>.size
      + threads * ((512 << 10) + columns * 16)
  }
}
