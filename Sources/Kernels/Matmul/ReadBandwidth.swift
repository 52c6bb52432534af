import KernelTypes
import Synchronization

/// Bytes per second that the threads of the pool can read from memory.
///
/// Streams a buffer of `byteCount` bytes, which should be several times the caches, and takes the
/// best of `passes`; nil if there is no memory for it.
package func measureReadBandwidth(
  _ compute: Compute, byteCount: Int = 256 << 20, passes: Int = 5
) -> Double? {
  let chunk = 256 << 10
  let chunks = max(1, byteCount / chunk)
  guard let memory = TileMemory(byteCount: chunks * chunk) else { return nil }
  // Untouched pages would all be one page of zeros.
  unsafe memory.base.initializeMemory(as: UInt8.self, repeating: 1, count: memory.byteCount)
  let work = MemoryReading(kernels: compute.kernels.matmul, memory: memory, chunk: chunk)
  var best = Duration.seconds(1_000_000)
  for _ in 0..<max(1, passes) {
    best = min(best, ContinuousClock().measure { compute.pool.run(chunks, work) })
  }
  let seconds = Double(best.components.seconds) + Double(best.components.attoseconds) * 1e-18
  return Double(memory.byteCount) / seconds
}

private struct MemoryReading: ParallelWork {
  let kernels: MatmulKernels
  let memory: TileMemory
  let chunk: Int
  let sink = Sink()

  final class Sink: Sendable {
    let bits = Atomic<UInt64>(0)
  }

  func perform(_ items: Range<Int>, worker: Int) {
    for item in items {
      let bits = unsafe kernels.readMemory(memory.base + item * chunk, chunk)
      sink.bits.bitwiseOr(bits, ordering: .relaxed)
    }
  }
}
