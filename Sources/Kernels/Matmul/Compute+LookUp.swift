import KernelTypes
import KernelsPortable

extension Compute {
  /// Writes a row of a matrix, dequantised from its tile, to a row of floats.
  package func lookUp(
    _ matrix: PreparedMatrix, row: Int, into output: FloatRows, outRow: Int
  ) {
    precondition(row >= 0 && row < matrix.rows, "row \(row) of \(matrix.rows)")
    precondition(output.columns == matrix.columns && outRow >= 0 && outRow < output.rows)
    unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 64) { scratch in
      if let scratch = scratch.baseAddress {
        unsafe matrix.dequantise(
          row: row, scratch: scratch, into: output.pointer(row: outRow))
      }
    }
  }
}

extension PreparedMatrix {
  /// Dequantises one row; `scratch` has room for 512 bytes.
  func dequantise(
    row: Int, scratch: UnsafeMutableRawPointer, into output: UnsafeMutablePointer<Float>
  ) {
    let tile = unsafe tiles + row / TileGeometry.rows * layout.stride
    let lane = row % TileGeometry.rows
    if case .dense(let type) = format {
      unsafe widenRow(type.storage, tile: tile, row: lane, columns: columns, into: output)
      return
    }
    let codes = unsafe scratch.assumingMemoryBound(to: Int8.self)
    let floats = unsafe scratch.assumingMemoryBound(to: Float.self)
    let sums = unsafe scratch.assumingMemoryBound(to: Int32.self)
    let job = unsafe groupedProduct(
      input: QuantisedInput(
        lanes: 1, columns: columns, group: format.activationGroup ?? 32, codes: codes,
        scales: floats, sums: sums))
    unsafe withUnsafePointer(to: job) {
      unsafe dequantiseRow(
        $0, tile: tile, row: lane, zero: Int32(truncatingIfNeeded: format.zero ?? 0),
        scratch: scratch, into: output)
    }
  }
}
