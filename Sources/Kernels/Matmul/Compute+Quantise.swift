import KernelTypes
import KernelsPortable
import Synchronization

/// How matrices are multiplied.
package enum MatmulBackend: Sendable {
  /// Quantised activations and integer products: the same bits on every instruction set.
  case simd
  /// Float activations and OpenBLAS: the reference for accuracy, outside that promise.
  case blas
}

extension Compute {
  private static let stamps = Atomic<UInt64>(0)

  /// Records `input` (tokens × columns) for products with `matrices`, and quantises it once for
  /// each distinct activation group among them.
  package func quantise(
    _ input: FloatRows, for matrices: [PreparedMatrix], into activations: Activations,
    backend: MatmulBackend
  ) {
    precondition(
      input.rows <= activations.capacity && input.columns <= activations.columns,
      "\(input.rows) × \(input.columns) activations in room for \(activations.capacity) × "
        + "\(activations.columns)")
    activations.input = input
    activations.stamp = Self.stamps.add(1, ordering: .relaxed).newValue
    for set in activations.sets {
      set.forget()
    }
    guard backend == .simd, input.rows > 0 else { return }
    for matrix in matrices {
      precondition(
        matrix.columns == input.columns,
        "“\(matrix.name)” has \(matrix.columns) inputs, not \(input.columns)")
      if let group = matrix.activationGroup {
        activations.set(group: group).want(matrix.format)
      }
    }
    for set in activations.sets where set.isCurrent {
      let work = unsafe Quantisation(
        kernel: kernels.matmul.quantise, set: set,
        job: QuantiseJob(
          input: input.pointer(row: 0), inputStride: input.stride,
          output: set.quantisedInput(tokens: input.rows, columns: input.columns)),
        tokens: input.rows)
      // Less than about 10 µs of work is not worth waking anybody for.
      if input.rows * input.columns < Quantisation.parallelThreshold {
        work.perform(0..<work.blocks, worker: 0)
      } else {
        pool.run(work.blocks, work)
      }
    }
  }
}

/// The quantisation of some tokens; an item is a block of those that lie together.
@safe private struct Quantisation: ParallelWork {
  static var parallelThreshold: Int { 16_384 }

  let kernel: @Sendable (UnsafePointer<QuantiseJob>, Int) -> Void
  let set: QuantisedSet
  let job: QuantiseJob
  let tokens: Int

  var blocks: Int { (tokens + job.output.lanes - 1) / job.output.lanes }

  func perform(_ items: Range<Int>, worker: Int) {
    let lanes = job.output.lanes
    unsafe withUnsafePointer(to: job) { job in
      unsafe withUnsafePointer(to: job.pointee.output) { output in
        for block in items {
          for token in block * lanes..<min((block + 1) * lanes, tokens) {
            unsafe kernel(job, token)
          }
          for terms in set.zeroTerms where terms.isCurrent {
            unsafe writeZeroTerms(
              output, block: block, zero: Int32(truncatingIfNeeded: terms.zero),
              into: terms.values.base)
          }
          for sums in set.groupSums where sums.isCurrent {
            unsafe writeGroupSums(
              output, block: block, group: sums.group, into: sums.values.base)
          }
        }
      }
    }
  }
}
