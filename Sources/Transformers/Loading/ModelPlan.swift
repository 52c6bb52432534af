package import Kernels
package import Weights

/// A model's tensors, found and checked but not read: what loading it will need can be told before
/// anything is allocated.
package struct ModelPlan: Sendable {
  package let architecture: Architecture
  package let configuration: ModelConfiguration
  /// What the matrices amount to.
  package let totals: MatrixTotals

  private let finder: TensorFinder
  private let matrices: [(key: TensorKey, source: any RowSource)]

  /// Finds and checks everything that `source` must hold.
  ///
  /// - Throws: ``ModelError`` or the file reader's own errors, naming the tensor or setting.
  package init(_ source: any WeightSource, settings: ModelSettings) throws {
    architecture = try settings.architecture()
    var configuration = try architecture.configure(settings)
    finder = try TensorFinder(source, names: architecture.tensors)
    if finder.contains(TensorKey(.ropeDivisors)) {
      configuration.rope.scaling = .divisors(
        try finder.vector(
          TensorKey(.ropeDivisors), count: configuration.rope.dimensions / 2))
    }
    var builder = MatrixList(finder: finder)
    try builder.addModel(&configuration)
    for index in configuration.layers.indices {
      try builder.addLayer(index, configuration, architecture.block)
    }
    self.configuration = configuration
    matrices = builder.matrices
    totals = try MatrixTotals(matrices.map(\.source))
  }

  /// Prepares the weights.
  ///
  /// `progress` is called with the bytes of the file that are done.
  ///
  /// - Throws: what the file's reader throws, ``ModelError/cancelled`` when the computation was
  ///   cancelled.
  package func load(
    compute: Compute, progress: (_ done: Int) -> Void = { _ in }
  ) throws -> Transformer {
    let tiles = compute.reserveTiles(
      byteCount: totals.preparedByteCount, matrices: matrices.count)
    defer { withExtendedLifetime(tiles) {} }
    var prepared: [PreparedMatrix] = []
    try forEachMatrix(compute: compute, progress: progress) {
      prepared.append(try PreparedMatrix.prepare($0, compute: compute))
    }
    return try transformer(prepared, compute: compute)
  }

  /// Calls `prepare` with each matrix, and `progress` with the bytes of the file that are done.
  func forEachMatrix(
    compute: Compute, progress: (_ done: Int) -> Void, prepare: (any RowSource) throws -> Void
  ) throws {
    var done = 0
    for (_, source) in matrices {
      try prepare(source)
      if compute.isCancelled { throw ModelError.cancelled }
      done += source.sourceByteCount
      progress(done)
    }
  }

  /// The model of its matrices, in their order.
  func transformer(_ prepared: [PreparedMatrix], compute: Compute) throws -> Transformer {
    try ModelAssembly(
      architecture: architecture, configuration: configuration, compute: compute, finder: finder,
      matrices: Dictionary(
        uniqueKeysWithValues: zip(matrices, prepared).map { ($0.key, $1) })
    ).transformer()
  }

  /// Where the matrices' rows come from, in the order in which they are prepared.
  var sources: [any RowSource] { matrices.map(\.source) }
}
