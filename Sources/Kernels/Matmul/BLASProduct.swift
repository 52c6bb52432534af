import COpenBLAS
import KernelTypes

/// One product through OpenBLAS: tiles are dequantised to a panel of floats and multiplied there.
struct BLASProduct {
  let matrix: PreparedMatrix
  let input: FloatRows
  let output: FloatRows
  let adds: Bool

  private let library: BLASLibrary

  private static let blockBytes = 512

  init(_ matrix: PreparedMatrix, _ input: FloatRows, _ output: FloatRows, adds: Bool) {
    guard let library = BLASLibrary.shared else {
      preconditionFailure("a product through OpenBLAS, which is not installed")
    }
    self.library = library
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
    Self.blockBytes + tiles * TileGeometry.rows * matrix.columns * 4
  }

  /// Multiplies some tiles; `scratch` holds `scratchBytes` for them.
  func multiply(tiles: Range<Int>, scratch block: UnsafeMutableRawPointer) {
    let firstRow = tiles.lowerBound * TileGeometry.rows
    let rows = blasint(min(tiles.upperBound * TileGeometry.rows, matrix.rows) - firstRow)
    let stride = tiles.count * TileGeometry.rows
    let panel = unsafe (block + Self.blockBytes).assumingMemoryBound(to: Float.self)
    unsafe matrix.dequantise(tiles: tiles, scratch: block, into: panel, stride: stride)
    let columns = blasint(matrix.columns)
    let beta: Float = adds ? 1 : 0
    let target = unsafe output.pointer(row: 0) + firstRow
    if input.rows == 1 {
      unsafe library.sgemv(
        CblasRowMajor, CblasTrans, columns, rows, 1, panel, blasint(stride),
        input.pointer(row: 0), 1, beta, target, 1)
    } else {
      unsafe library.sgemm(
        CblasRowMajor, CblasNoTrans, CblasNoTrans, blasint(input.rows), rows, columns, 1,
        input.pointer(row: 0), blasint(input.stride), panel, blasint(stride), beta, target,
        blasint(output.stride))
    }
  }
}
