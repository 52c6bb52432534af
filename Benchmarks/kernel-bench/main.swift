// Measures the products of every format:
//
//   kernel-bench [--threads N] [--megabytes N] [--tokens N] [--only TEXT] [--model yes]
//                [--attention POSITIONS]
//
// One line per format: preparation, one token (bytes of tiles and weights per second), many tokens
// (multiply-adds per second); with --model, the products of SmolLM2-135M. With --attention, what
// reading a context of so many positions costs instead. The instruction set is the one that
// PIPIT_ISA names.
import Foundation
import Kernels

let options = Options(CommandLine.arguments)
let compute = try Compute(threads: options.threads)
print("\(compute.kernels.instructionSet), \(compute.pool.threads) threads")
if let bytes = measureReadBandwidth(compute, byteCount: options.megabytes * 1_000_000) {
  print("read bandwidth \(fixed(bytes / 1e9)) GB/s (\(options.megabytes) MB)")
}
if let positions = options.attention {
  measureAttention(positions: positions, options, compute)
  exit(0)
}
try measureQuantisation(options, compute)
if options.model {
  print("| format | 1 token | 2 | 4 | 8 | 64 | 256 |")
  print("|---|---|---|---|---|---|---|")
} else {
  print("| format | prepare Gw/s | 1 token GB/s | Gw/s | \(options.tokens) tokens Gmac/s |")
  print("|---|---|---|---|---|")
}
for (name, format) in benchmarkFormats where options.only.map(name.contains) ?? true {
  if options.model {
    try measureModel(name, format, compute)
  } else {
    try measure(name, format, options, compute)
  }
}
