import Foundation
import Kernels

/// Queries, keys and values of one layer, and ways to attend to them.
struct AttentionFixture {
  let shape: AttentionShape
  let type: KVType
  let queries: FloatRows
  let keys: FloatRows
  let values: FloatRows

  init(_ shape: AttentionShape, type: KVType = .float16, tokens: Int, seed: UInt64 = 20) {
    self.shape = shape
    self.type = type
    let width = shape.keyValueHeads * shape.headDimension
    queries = .random(rows: tokens, columns: shape.heads * shape.headDimension, seed: seed)
    keys = .random(rows: tokens, columns: width, stride: width + 1, seed: seed + 1)
    values = .random(rows: tokens, columns: width, stride: width + 3, seed: seed + 2)
  }

  /// Stores and attends chunk by chunk.
  ///
  /// With `poison`, whatever memory of a block is not yet written holds NaN.
  func attend(_ compute: Compute, chunks: [Int], poison: Bool = false) -> [Float] {
    var blocks = KVBlocks(
      keyValueHeads: shape.keyValueHeads, headDimension: shape.headDimension, type: type)
    let scratch = AttentionScratch(
      shapes: [shape], context: queries.rows, threads: compute.pool.threads)
    let target = FloatRows(
      Slab(count: queries.rows * queries.columns), rows: queries.rows, columns: queries.columns)
    var position = 0
    for count in chunks {
      let rows = position..<position + count
      let known = blocks.positions.upperBound
      blocks.prepareToWrite(rows)
      if poison {
        for block in blocks.blocks.suffix((blocks.positions.upperBound - known) / 64) {
          unsafe block.withMutableBytes { bytes in
            for index in 0..<bytes.count {
              unsafe bytes[index] = 0xff
            }
          }
        }
      }
      compute.attend(
        queries.rows(rows), storing: keys.rows(rows), values.rows(rows), at: position,
        in: blocks, shape: shape, scratch: scratch, into: target.rows(rows))
      position += count
    }
    return target.elements
  }

  /// One token's attention in float64 to the keys and values as they are read.
  func truth(token: Int, _ oldKeys: QuantisedRows, _ oldValues: QuantisedRows) -> [Double] {
    let old = token / 64 > 4 && type.isQuantised ? (token / 64 - 4) * 64 : 0
    let width = shape.headDimension
    let first = max(0, token - (shape.window ?? .max - 1) + 1)
    return (0..<shape.heads).flatMap { head in
      let column = head / shape.headsPerKeyValueHead * width
      var scores: [Double] = []
      for key in first...token {
        var score = 0.0
        for index in 0..<width {
          score +=
            Double(queries[token, head * width + index])
            * (key < old ? oldKeys[key, column + index] : stored(keys[key, column + index]))
        }
        scores.append(score * Double(shape.scale))
      }
      let most = scores.max() ?? 0
      let weights = scores.map { exp($0 - most) }
      let total = weights.reduce(0, +)
      var output = [Double](repeating: 0, count: width)
      for (key, weight) in zip(first...token, weights) {
        for index in 0..<width {
          let value =
            key < old ? oldValues[key, column + index] : stored(values[key, column + index])
          output[index] += weight * value / total
        }
      }
      return output
    }
  }

  private func stored(_ value: Float) -> Double {
    switch type {
    case .float32: Double(value)
    default: Double(Float16(value))
    }
  }

  /// Some way to cut the tokens into chunks.
  func chunks(seed: UInt64, upTo most: Int) -> [Int] {
    var noise = Noise(seed)
    var chunks: [Int] = []
    var rest = queries.rows
    while rest > 0 {
      let count = min(rest, 1 + Int(noise.bits() % UInt64(most)))
      chunks.append(count)
      rest -= count
    }
    return chunks
  }
}
