import Foundation
import Kernels

private let shapes = [
  AttentionShape(heads: 9, keyValueHeads: 3, headDimension: 64, scale: 0.125),
  AttentionShape(heads: 8, keyValueHeads: 8, headDimension: 80, scale: 0.11),
  AttentionShape(heads: 16, keyValueHeads: 8, headDimension: 128, scale: 0.09),
  AttentionShape(heads: 16, keyValueHeads: 4, headDimension: 128, scale: 0.09),
  AttentionShape(heads: 4, keyValueHeads: 1, headDimension: 256, scale: 0.0625),
]

/// Prints, per shape and type of keys and values, what a position costs a token that reads it.
///
/// There are so many layers that no cache holds them, as in a model.
func measureAttention(positions: Int, _ options: Options, _ compute: Compute) {
  print("\(positions) positions")
  print("| heads | type | MB | 1 token ns/position | GB/s | \(options.tokens) tokens ns/position |")
  print("|---|---|---|---|---|---|")
  for shape in shapes {
    for type in KVType.allCases
    where options.only.map("\(name(shape)) \(type)".contains) ?? true {
      measure(shape, type, positions, options, compute)
    }
  }
}

private func name(_ shape: AttentionShape) -> String {
  "\(shape.heads)/\(shape.keyValueHeads) × \(shape.headDimension)"
}

private func measure(
  _ shape: AttentionShape, _ type: KVType, _ positions: Int, _ options: Options,
  _ compute: Compute
) {
  let width = shape.keyValueHeads * shape.headDimension
  let size = options.megabytes * 1_000_000
  let layers = max(2, size / (positions * width * 4))
  let rows = FloatRows(Slab(count: positions * width), rows: positions, columns: width)
  for row in 0..<positions {
    for column in 0..<width {
      rows[row, column] = Float((column * 37 + row * 11) % 201 - 100) / 50
    }
  }
  let chunk = 256
  let states = (0..<layers).map { _ in
    var blocks = KVBlocks(
      keyValueHeads: shape.keyValueHeads, headDimension: shape.headDimension, type: type)
    for first in stride(from: 0, to: positions, by: chunk) {
      let part = first..<min(first + chunk, positions)
      blocks.prepareToWrite(part)
      compute.store(keys: rows.rows(part), values: rows.rows(part), at: first, in: blocks)
    }
    return blocks
  }
  let scratch = AttentionScratch(
    shapes: [shape], context: positions, threads: compute.pool.threads)
  let columns = shape.heads * shape.headDimension
  let queries = FloatRows(
    Slab([Float](repeating: 0.1, count: options.tokens * columns)), rows: options.tokens,
    columns: columns)
  let target = FloatRows(
    Slab(count: options.tokens * columns), rows: options.tokens, columns: columns)
  let seconds = [1, options.tokens].map { tokens in
    bestTime(threads: compute.pool.threads, layers: layers) { layer in
      compute.attend(
        queries.rows(0..<tokens), at: positions - tokens, in: states[layer], shape: shape,
        scratch: scratch, into: target.rows(0..<tokens))
    }
  }
  let bytes = states[0].byteCount
  let read = Double(positions)
  var line = "| \(name(shape)) | \(type) "
  line += "| \(fixed(Double(bytes) / 1e6)) | \(fixed(seconds[0] / read * 1e9)) "
  line += "| \(fixed(Double(bytes) / seconds[0] / 1e9)) "
  line += "| \(fixed(seconds[1] / read / Double(options.tokens) * 1e9)) |"
  print(line)
}

/// The least time of a layer, all of them in turn; with one thread the processor's own, for busy machines.
///
/// With more, the caller's own would be short whenever the others did most of the work.
private func bestTime(threads: Int, layers: Int, _ body: (Int) -> Void) -> Double {
  var best = Double.infinity
  var total = 0.0
  var count = 0
  while count < 3 || (total < 0.5 && count < 100) {
    for layer in 0..<layers {
      let start = seconds(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC)
      body(layer)
      let time = seconds(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC) - start
      best = min(best, time)
      total += time
    }
    count += 1
  }
  return best
}

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
