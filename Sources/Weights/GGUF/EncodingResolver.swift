/// Tells the two layouts of an ambiguous type id apart by the bytes set aside for a tensor.
///
/// Type 42 is upstream's Q2_0 (64 weights in 18 bytes) and PrismML's older one (128 in 34), type 40
/// upstream's NVFP4 (64 in 36) and PrismML's older Q1_0 (32 in 6). A tensor too small to show a
/// difference after padding follows the others of its file.
struct EncodingResolver {
  let alignment: UInt64
  private var votes: [UInt32: Int] = [:]

  init(alignment: UInt64) {
    self.alignment = alignment
  }

  /// Notes what the sizes of a tensor say about its type id.
  mutating func learn(
    id: UInt32, dimensions: [UInt64], extent: UInt64, name: String
  ) throws(FileProblem) {
    let candidates = GGUFEncoding.candidates(id: id)
    guard candidates.count > 1, votes[id] == nil else { return }
    let matching = try matches(candidates, dimensions, extent: extent, name: name)
    if matching.count == 1 { votes[id] = matching[0] }
  }

  /// The encoding of a tensor; nil if its type id is unknown.
  func encoding(_ id: UInt32, _ dimensions: [UInt64], extent: UInt64) -> GGUFEncoding? {
    let candidates = GGUFEncoding.candidates(id: id)
    guard candidates.count > 1 else { return candidates.first }
    let matching = (try? matches(candidates, dimensions, extent: extent, name: "")) ?? []
    if matching.count == 1 { return candidates[matching[0]] }
    return candidates[votes[id] ?? matching.first ?? 0]
  }

  /// The candidates whose size is exactly the extent, with or without padding.
  private func matches(
    _ candidates: [GGUFEncoding], _ dimensions: [UInt64], extent: UInt64, name: String
  ) throws(FileProblem) -> [Int] {
    let dimensions = try GGUFParser.checkedDimensions(dimensions, name: name)
    let elements = dimensions.reduce(1, *)
    return candidates.indices.filter { index in
      let candidate = candidates[index]
      guard let columns = dimensions.first, columns % candidate.block == 0,
        let bytes = candidate.byteCount(elements: elements).map(UInt64.init)
      else { return false }
      return extent >= bytes && extent - bytes < alignment
    }
  }
}
