import Kernels

/// Where GGUF's converter puts the value heads of a gated delta net: head k·r + j of the original,
/// the j-th that shares key head k, stands at j·(key heads) + k.
struct ValueHeadOrder {
  /// For each head of the original, its place in the file; nil if they are the same.
  private let places: [Int]?

  init(_ shape: DeltaNetShape, isTiled: Bool) {
    let shared = shape.valueHeads / shape.keyHeads
    places =
      isTiled && shared > 1
      ? (0..<shape.valueHeads).map { $0 % shared * shape.keyHeads + $0 / shared } : nil
  }

  /// Which row of the file is each row of the original: of `count` rows those from `first` on belong
  /// to heads, `size` to each.
  func rows(from first: Int, of size: Int, count: Int) -> [Int32]? {
    guard let places else { return nil }
    let others = (0..<first).map { Int32($0) }
    return others
      + places.flatMap { place in (0..<size).map { Int32(first + place * size + $0) } }
  }

  /// The order of the columns where each head has `size` of them.
  func columns(of size: Int) -> ExchangeTensor.ColumnOrder? {
    places.map { ExchangeTensor.ColumnOrder(block: size, map: $0) }
  }
}
