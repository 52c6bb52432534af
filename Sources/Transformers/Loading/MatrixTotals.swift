package import Kernels

/// What a model's matrices amount to, known before any is read.
package struct MatrixTotals: Sendable, Hashable {
  /// Bytes in the file.
  package let sourceByteCount: Int
  /// Bytes once prepared.
  package let preparedByteCount: Int
  /// Bytes of the largest one's prepared form.
  package let largestByteCount: Int
  /// Numbers in them.
  package let parameterCount: Int

  /// What is known of a model without its files: bytes of all matrices and of the largest, which are
  /// prepared within 3 % of them.
  package init(byteCount: Int, largestByteCount: Int, parameterCount: Int) {
    sourceByteCount = byteCount
    preparedByteCount = byteCount
    self.largestByteCount = largestByteCount
    self.parameterCount = parameterCount
  }

  /// - Throws: ``MatrixError`` for a format or shape that is not supported.
  package init(_ matrices: [any RowSource]) throws {
    let prepared = try matrices.map {
      try PreparedMatrix.byteCount(rows: $0.rows, columns: $0.columns, format: $0.format)
    }
    sourceByteCount = matrices.reduce(0) { $0 + $1.sourceByteCount }
    preparedByteCount = prepared.reduce(0, +)
    largestByteCount = prepared.max() ?? 0
    parameterCount = matrices.reduce(0) { $0 + $1.rows * $1.columns }
  }

  /// Bytes that preparing takes beside the prepared weights: the source pages of the matrix at hand,
  /// and buffers of every thread.
  package func preparationByteCount(threads: Int) -> Int {
    largestByteCount + threads * (1 << 20)
  }
}

extension ModelConfiguration {
  /// Bytes of norms and biases.
  package var vectorByteCount: Int {
    layers.count * 4 * hiddenSize * MemoryLayout<Float>.stride
  }
}
