package import Kernels

/// A tensor of a model under the name, in the shape and in the conventions of mlx-lm, not yet read.
package struct ExchangeTensor: Sendable {
  package let name: String
  /// Sizes, outermost first.
  package let shape: [Int]
  package let content: Content
  /// The type of its numbers in the source, or of their scales.
  package let storedType: ScaleType
  /// Whether it is a linear layer or an embedding, which are what mlx-lm quantises.
  package let isQuantisable: Bool
  /// Whether it stays in its own type when a model is cast to another.
  package let keepsType: Bool

  package enum Content: Sendable {
    /// Rows as they are stored; blocks of columns may stand in another order than they should.
    case rows(any RowSource, ColumnOrder?)
    /// Numbers that are made when they are asked for.
    case numbers(@Sendable () throws -> [Float])
  }

  /// Block i of `block` columns is block `map[i]` of the stored row.
  package struct ColumnOrder: Sendable {
    package let block: Int
    package let map: [Int]
  }

  /// The path of its layer in mlx-lm's naming.
  package var module: String {
    name.hasSuffix(".weight") ? String(name.dropLast(".weight".count)) : name
  }

  /// Numbers in it.
  package var count: Int { shape.reduce(1, *) }
}

/// A tensor that a model's text part does not need.
package struct UnusedTensor: Sendable, Hashable {
  package let name: String
  package let byteCount: Int
  package let reason: Reason

  package enum Reason: String, Sendable, CaseIterable {
    /// Of an image or audio encoder.
    case vision
    /// Of multi-token prediction.
    case prediction
    /// An output that is the embedding again.
    case tiedOutput
    /// Made anew from the configuration.
    case rotation
  }
}
