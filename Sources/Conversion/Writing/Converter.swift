package import Kernels
import Transformers
import Weights

/// Carries out a plan: tensor by tensor, some rows at a time, so that memory does not depend on the
/// model.
package struct Converter: Sendable {
  private let plan: ConversionPlan
  private let pool: ThreadPool
  private let cancellation: CancellationFlag

  /// `cancellation` is asked between rows; once it is set nothing is left behind.
  package init(
    _ plan: ConversionPlan, threads: Int, cancellation: CancellationFlag = CancellationFlag()
  ) {
    self.plan = plan
    self.cancellation = cancellation
    pool = ThreadPool(threads: threads)
  }

  /// Writes the converted model as a folder at `path`, which must not be there.
  ///
  /// The same bytes come about in every run and with any number of threads. `progress` is called with
  /// the numbers of the model that are done.
  ///
  /// - Throws: ``ConversionError``, `ArchiveError`, or what is wrong with the source; nothing that
  ///   could be loaded is left behind then.
  package func write(
    to path: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    try checkPlace(path)
    let folder = try OutputFolder(path: path)
    var done = 0
    for shard in plan.shards {
      let file = try SafetensorsWriter(
        path: "\(folder.temporary)/\(shard.name).part", entries: shard.entries,
        metadata: Shard.metadata)
      for tensor in shard.tensors {
        try TensorWriter(tensor, file: file, pool: pool, cancellation: cancellation).write { rows in
          done += rows * tensor.columns
          progress(done, plan.parameterCount)
        }
      }
      try file.finish()
      try folder.settle(shard.name)
    }
    for file in plan.files { try folder.write(file) }
    try folder.commit()
  }

  private func checkPlace(_ path: String) throws(ConversionError) {
    guard !OutputFolder.exists(path) else { throw .outputExists(path) }
    guard !path.hasPrefix(plan.source.folder + "/") else { throw .outputInSource(path) }
    guard let space = OutputFolder.freeSpace(for: path) else { return }
    // A file system needs some for itself.
    let needed = plan.byteCount + plan.byteCount / 100 + (1 << 20)
    guard space.bytes >= needed else {
      throw .noSpace(folder: space.folder, needed: needed, available: space.bytes)
    }
  }
}
