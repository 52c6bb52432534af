package import Kernels
import Weights

extension ModelPlan {
  /// The file of prepared weights at a path, if it is of this model.
  ///
  /// `identity` tells the model's files from all others.
  ///
  /// - Throws: `ArchiveError`, whose `isMissing` tells that there is no such file.
  package func openPrepared(path: String, identity: String) throws -> PreparedFile {
    try PreparedFile(
      path: path, key: preparedKey(identity), byteCount: MappedTiles.byteCount(sources))
  }

  /// Takes the weights from a file, of which every block is read and checked.
  ///
  /// - Throws: `ArchiveError.damaged`; ``ModelError/cancelled``.
  package func load(compute: Compute, from file: PreparedFile) throws -> Transformer {
    let tiles = try file.checkedTiles(compute: compute)
    if compute.isCancelled { throw ModelError.cancelled }
    return try transformer(try tiles.matrices(sources), compute: compute)
  }

  /// Prepares the weights into a file and takes them from there.
  ///
  /// `identity` tells the model's files from all others, and `modelPath` where they are; `progress` is
  /// called with the bytes of them that are done.
  ///
  /// - Throws: `TileSinkFailure` and `ArchiveError` where the file cannot be written; what is wrong
  ///   with the model's files; ``ModelError/cancelled``.
  package func load(
    compute: Compute, into path: String, identity: String, modelPath: String,
    progress: (_ done: Int) -> Void
  ) throws -> Transformer {
    let file = try PreparedFileWriter(path: path, byteCount: MappedTiles.byteCount(sources))
    let stream = try TileStream(compute: compute, sink: file)
    try forEachMatrix(compute: compute, progress: progress) { try stream.append($0) }
    let checksums = try stream.finish()
    // What was not written then must not get a name.
    if compute.isCancelled { throw ModelError.cancelled }
    let tiles = try file.commit(
      key: preparedKey(identity), modelPath: modelPath, checksums: checksums)
    return try transformer(try tiles.matrices(sources), compute: compute)
  }

  /// What a file was made from and by which rules.
  private func preparedKey(_ identity: String) -> String {
    var shapes = Checksum()
    for source in sources {
      let text = "\(source.name) \(source.rows) \(source.columns) \(source.format)\n"
      shapes.update(Array(text.utf8).span)
    }
    return """
      prepared \(preparedVersion), numerics \(numericsVersion), \(shapes.value)
      \(identity)
      """
  }
}
