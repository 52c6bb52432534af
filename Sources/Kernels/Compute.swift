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
}
