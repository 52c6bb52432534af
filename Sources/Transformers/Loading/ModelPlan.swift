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
    var prepared: [TensorKey: PreparedMatrix] = [:]
    var done = 0
    for (key, source) in matrices {
      prepared[key] = try PreparedMatrix.prepare(source, compute: compute)
      if compute.isCancelled { throw ModelError.cancelled }
      done += source.sourceByteCount
      progress(done)
    }
    return try ModelAssembly(
      architecture: architecture, configuration: configuration, compute: compute, finder: finder,
      matrices: prepared
    ).transformer()
  }
}
