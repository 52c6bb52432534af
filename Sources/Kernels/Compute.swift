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

  /// Makes room for the tiles of so many matrices, of so many bytes in all, that are prepared while the
  /// object that is returned lives; nil if there is no memory.
  package func reserveTiles(byteCount: Int, matrices: Int) -> AnyObject? {
    tiles.reserve(byteCount: byteCount, matrices: matrices)
  }

  /// Whether the work at hand has been cancelled; items that no thread had begun were skipped.
  package var isCancelled: Bool { pool.cancellation?.isCancelled ?? false }
}
