/// The twelve bytes in which Q4_K and Q5_K pack eight scales and eight minima of six bits.
struct SixBitScales {
  /// s₀…s₇, one byte each.
  let scales: UInt64
  /// m₀…m₇, one byte each.
  let minima: UInt64

  @inline(__always)
  init(_ bytes: FileBytes, at: Int) {
    let first = bytes.load(UInt32.self, at: at)
    let second = bytes.load(UInt32.self, at: at + 4)
    let third = bytes.load(UInt32.self, at: at + 8)
    let high: UInt32 = 0x3030_3030
    let low: UInt32 = 0x0F0F_0F0F
    let upperScales = (third & low) | ((first &>> 2) & high)
    let upperMinima = ((third &>> 4) & low) | ((second &>> 2) & high)
    scales = UInt64(first & 0x3F3F_3F3F) | UInt64(upperScales) &<< 32
    minima = UInt64(second & 0x3F3F_3F3F) | UInt64(upperMinima) &<< 32
  }
}
