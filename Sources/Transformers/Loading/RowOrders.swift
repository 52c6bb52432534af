import Kernels
import Weights

/// Brings the rows of query and key projections to half-split order.
enum RotationOrder {
  /// The row of an adjacent-pair file that holds `row` of a half-split one: within a head, pair i is
  /// rows 2i and 2i + 1 there, and rows i and i + headDimension / 2 here.
  static func fileRow(_ row: Int, headDimension: Int) -> Int {
    let (head, within) = row.quotientAndRemainder(dividingBy: headDimension)
    let (half, pair) = within.quotientAndRemainder(dividingBy: headDimension / 2)
    return head * headDimension + 2 * pair + half
  }

  static func isAdjacent(_ design: BlockDesign.AttentionDesign, _ finder: TensorFinder) -> Bool {
    design.fileRotation == .adjacentInGGUF && finder.source.form == .gguf
  }

  /// `matrix` itself or with its rows reordered.
  static func halfSplit(
    _ matrix: any RowSource, _ headDimension: Int, _ design: BlockDesign.AttentionDesign,
    _ finder: TensorFinder
  ) throws -> any RowSource {
    guard isAdjacent(design, finder) else { return matrix }
    guard headDimension.isMultiple(of: 2) else {
      throw ModelError.setting("head_dim", "\(headDimension) is odd and cannot rotate in pairs")
    }
    return PermutedRows(
      matrix,
      map: (0..<matrix.rows).map { Int32(fileRow($0, headDimension: headDimension)) })
  }

  /// A bias in half-split order.
  static func halfSplit(
    _ bias: [Float], _ headDimension: Int, _ design: BlockDesign.AttentionDesign,
    _ finder: TensorFinder
  ) -> [Float] {
    guard isAdjacent(design, finder) else { return bias }
    return bias.indices.map { bias[fileRow($0, headDimension: headDimension)] }
  }
}

/// Splits a gated query projection, in which each head's queries are followed by its gates.
enum OutputGateRows {
  static func split(
    _ matrix: any RowSource, headDimension: Int
  ) -> (query: any RowSource, gate: any RowSource) {
    let rows = matrix.rows / 2
    func rowsOfHeads(from offset: Int) -> [Int32] {
      (0..<rows).map { row in
        let (head, within) = row.quotientAndRemainder(dividingBy: headDimension)
        return Int32(head * 2 * headDimension + offset + within)
      }
    }
    return (
      PermutedRows(matrix, map: rowsOfHeads(from: 0)),
      PermutedRows(matrix, map: rowsOfHeads(from: headDimension))
    )
  }
}
