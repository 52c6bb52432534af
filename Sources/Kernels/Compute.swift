/// The kernels that were chosen, and the threads to run them on.
package final class Compute: Sendable {
  package let pool: ThreadPool
  package let kernels: KernelTable
  let tiles = TileArena()

  /// Starts the threads; without a set given, takes the one that `PIPIT_ISA` names, or the best.
  ///
  /// - Throws: ``InstructionSetError``.
  package init(threads: Int, instructionSet: InstructionSet? = nil) throws {
    kernels = try KernelTable(instructionSet ?? .chosen())
    pool = ThreadPool(threads: threads)
  }

  /// Whether the work at hand has been cancelled; items that no thread had begun were skipped.
  package var isCancelled: Bool { pool.cancellation?.isCancelled ?? false }
}
