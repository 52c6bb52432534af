package import Kernels

/// What a model's matrices amount to, known before any is read.
package struct MatrixTotals: Sendable, Hashable {
  /// Bytes in the file.
  package let sourceByteCount: Int
  /// Bytes once prepared.
  package let preparedByteCount: Int
  /// Numbers in them.
  package let parameterCount: Int

  /// What is known of a model without its files: bytes of all matrices, which are prepared within 3 %
  /// of them.
  package init(byteCount: Int, parameterCount: Int) {
    sourceByteCount = byteCount
    preparedByteCount = byteCount
    self.parameterCount = parameterCount
  }

  /// - Throws: ``MatrixError`` for a format or shape that is not supported.
  package init(_ matrices: [any RowSource]) throws {
    let prepared = try matrices.map {
      try PreparedMatrix.byteCount(rows: $0.rows, columns: $0.columns, format: $0.format)
    }
    sourceByteCount = matrices.reduce(0) { $0 + $1.sourceByteCount }
    preparedByteCount = prepared.reduce(0, +)
    parameterCount = matrices.reduce(0) { $0 + $1.rows * $1.columns }
  }

  /// Bytes that preparing takes beside the prepared weights: of every thread the rows at hand, in
  /// their file's pages and unpacked, which are let go of as it comes to the next ones.
  package static func preparationByteCount(threads: Int) -> Int {
    threads * (4 << 20)
  }
}

extension ModelConfiguration {
  /// Bytes of norms and biases.
  package var vectorByteCount: Int {
    layers.count * 4 * hiddenSize * MemoryLayout<Float>.stride
  }
}
