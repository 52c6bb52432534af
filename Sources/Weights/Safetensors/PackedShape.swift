/// The width and the groups of packed codes, by the shapes of codes and scales alone.
struct PackedShape {
  let bits: Int
  let group: Int

  /// Nil if nothing fits.
  init?(weight: [Int], scales: [Int], columns: Int) {
    guard let words = weight.last, let groups = scales.last, columns > 0, groups > 0,
      weight.count >= 2, weight.dropLast() == scales.dropLast()
    else { return nil }
    let (packedBits, overflow) = words.multipliedReportingOverflow(by: 32)
    guard !overflow, packedBits % columns == 0, columns % groups == 0 else { return nil }
    bits = packedBits / columns
    group = columns / groups
  }
}
