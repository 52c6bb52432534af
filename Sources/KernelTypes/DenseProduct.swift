/// One product of a dense matrix with float activations.
///
/// A tile is (input, row of 16) elements of the storage type.
package struct DenseProduct {
  /// Never `superblock`.
  package var storage: ScaleStorage
  package var tiles: UnsafeRawPointer
  package var tileStride: Int
  package var rows: Int
  package var columns: Int
  /// (token, column), `inputStride` elements between tokens.
  package var input: UnsafePointer<Float>
  package var inputStride: Int
  package var tokens: Int
  /// (token, row), `outputStride` elements between tokens.
  package var output: UnsafeMutablePointer<Float>
  package var outputStride: Int
  /// Whether the product is added to what the output holds.
  package var adds: Bool

  package init(
    storage: ScaleStorage, tiles: UnsafeRawPointer, tileStride: Int, rows: Int, columns: Int,
    input: UnsafePointer<Float>, inputStride: Int, tokens: Int,
    output: UnsafeMutablePointer<Float>, outputStride: Int, adds: Bool
  ) {
    self.storage = storage
    self.tiles = tiles
    self.tileStride = tileStride
    self.rows = rows
    self.columns = columns
    self.input = input
    self.inputStride = inputStride
    self.tokens = tokens
    self.output = output
    self.outputStride = outputStride
    self.adds = adds
  }
}
