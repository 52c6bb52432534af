import COpenBLAS
import KernelTypes
import KernelsPortable

/// One product through OpenBLAS: rows are dequantised to a panel of floats and multiplied there.
struct BLASProduct {
  let matrix: PreparedMatrix
  let input: FloatRows
  let output: FloatRows
  let adds: Bool

  /// One thread per caller: the pool is what makes it parallel.
  private static let singleThreaded: Void = openblas_set_num_threads(1)

  init(_ matrix: PreparedMatrix, _ input: FloatRows, _ output: FloatRows, adds: Bool) {
    _ = Self.singleThreaded
    self.matrix = matrix
    self.input = input
    self.output = output
    self.adds = adds
  }

  /// Tiles whose floats fit in about 1 MB.
  static func tilesPerPanel(columns: Int) -> Int {
    max(1, (1 << 20) / (columns * TileGeometry.rows * 4))
  }

  func scratchBytes(tiles: Int) -> Int {
    512 + tiles * TileGeometry.rows * matrix.columns * 4
  }

  /// Multiplies some tiles; `scratch` holds `scratchBytes` of them.
  func multiply(tiles: Range<Int>, scratch: Slab<UInt8>) {
    let firstRow = tiles.lowerBound * TileGeometry.rows
    let rows = min(tiles.upperBound * TileGeometry.rows, matrix.rows) - firstRow
    let block = unsafe UnsafeMutableRawPointer(scratch.base)
    let panel = unsafe (block + 512).assumingMemoryBound(to: Float.self)
    for row in 0..<rows {
      unsafe matrix.dequantise(
        row: firstRow + row, scratch: block, into: panel + row * matrix.columns)
    }
    let beta: Float = adds ? 1 : 0
    if input.rows == 1 {
      unsafe cblas_sgemv(
        CblasRowMajor, CblasNoTrans, blasint(rows), blasint(matrix.columns), 1, panel,
        blasint(matrix.columns), input.pointer(row: 0), 1, beta,
        output.pointer(row: 0) + firstRow, 1)
    } else {
      unsafe cblas_sgemm(
        CblasRowMajor, CblasNoTrans, CblasTrans, blasint(input.rows), blasint(rows),
        blasint(matrix.columns), 1, input.pointer(row: 0), blasint(input.stride), panel,
        blasint(matrix.columns), beta, output.pointer(row: 0) + firstRow, blasint(output.stride))
    }
  }
}
