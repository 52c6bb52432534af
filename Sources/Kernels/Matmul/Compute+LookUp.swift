import KernelTypes
import KernelsPortable

extension Compute {
  /// Writes a row of a matrix, dequantised from its tile, to a row of floats.
  package func lookUp(
    _ matrix: PreparedMatrix, row: Int, into output: FloatRows, outRow: Int
  ) {
    precondition(row >= 0 && row < matrix.rows, "row \(row) of \(matrix.rows)")
    precondition(output.columns == matrix.columns && outRow >= 0 && outRow < output.rows)
    unsafe matrix.dequantise(row: row, into: output.pointer(row: outRow))
  }
}

extension PreparedMatrix {
  fileprivate func dequantise(row: Int, into output: UnsafeMutablePointer<Float>) {
    let tile = unsafe tiles + row / TileGeometry.rows * layout.stride
    let lane = row % TileGeometry.rows
    if case .dense = format {
      unsafe widenRow(scaleStorage, tile: tile, row: lane, columns: columns, into: output)
    } else {
      unsafe withUnsafePointer(to: groupedTiles) {
        unsafe dequantiseRow($0, tile: tile, row: lane, zero: storedZero, into: output)
      }
    }
  }

  /// Dequantises some tiles to (column, row), `stride` elements between columns.
  ///
  /// `scratch` has room for 512 bytes, 64-byte aligned.
  func dequantise(
    tiles range: Range<Int>, scratch: UnsafeMutableRawPointer,
    into output: UnsafeMutablePointer<Float>, stride: Int
  ) {
    unsafe withUnsafePointer(to: groupedTiles) { matrix in
      for index in range {
        let tile = unsafe tiles + index * layout.stride
        let target = unsafe output + (index - range.lowerBound) * TileGeometry.rows
        if case .dense = format {
          unsafe widenTile(
            scaleStorage, tile: tile, columns: columns, into: target, stride: stride)
        } else {
          unsafe dequantiseTile(
            matrix, tile: tile, zero: storedZero, scratch: scratch, into: target, stride: stride)
        }
      }
    }
  }

  private var storedZero: Int32 { Int32(truncatingIfNeeded: format.zero ?? 0) }
}
