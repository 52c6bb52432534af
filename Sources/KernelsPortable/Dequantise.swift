package import KernelTypes

/// Writes row `row` (0..<16) of a tile as float32: s·(u − z), or s·u + b.
package func dequantiseRow(
  _ matrix: UnsafePointer<GroupedTiles>, tile: UnsafeRawPointer, row: Int, zero: Int32,
  into output: UnsafeMutablePointer<Float>
) {
  let bits = matrix.pointee.bits
  let columns = matrix.pointee.columns
  let stepsPerGroup = matrix.pointee.group / 4
  var scale: Float = 0
  var offset: Float = 0
  var step = 0
  while step < columns / 4 {
    if step % stepsPerGroup == 0 {
      scale = tileScale(matrix, tile, step / stepsPerGroup, row)
      offset = matrix.pointee.isAffine ? tileOffset(matrix, tile, step / stepsPerGroup, row) : 0
    }
    let block = codesBlock(matrix, tile, step &>> 3)
    let four = fourCodes(block, bits: bits, step: step & 7, row: row)
    var index = 0
    while index < 4 {
      let code = Int32(truncatingIfNeeded: four &>> UInt32(truncatingIfNeeded: index &* 8) & 0xFF)
      if matrix.pointee.isAffine {
        output[step &* 4 &+ index] = scale * Float(code) + offset
      } else {
        let value = matrix.pointee.isSigns ? 2 &* code : code
        output[step &* 4 &+ index] = scale * Float(value &- zero)
      }
      index = index &+ 1
    }
    step = step &+ 1
  }
}

/// Writes a tile as float32 (column, 16 rows), `stride` elements between columns.
///
/// `scratch` has room for one block of 512 codes, 64-byte aligned.
package func dequantiseTile(
  _ matrix: UnsafePointer<GroupedTiles>, tile: UnsafeRawPointer, zero: Int32,
  scratch: UnsafeMutableRawPointer, into output: UnsafeMutablePointer<Float>, stride: Int
) {
  let bits = matrix.pointee.bits
  let group = matrix.pointee.group
  var scales = SIMD16<Float>.zero
  var offsets = SIMD16<Float>.zero
  var column = 0
  while column < matrix.pointee.columns {
    if column % 32 == 0 {
      unpackBlock(codesBlock(matrix, tile, column / 32), bits: bits, into: scratch)
    }
    if column % group == 0 {
      var row = 0
      while row < 16 {
        scales[row] = tileScale(matrix, tile, column / group, row)
        offsets[row] = matrix.pointee.isAffine ? tileOffset(matrix, tile, column / group, row) : 0
        row = row &+ 1
      }
    }
    let step = scratch.load(
      fromByteOffset: (column / 4 & 7) &* 64, as: SIMD16<Int32>.self)
    var codes = step &>> SIMD16(repeating: Int32(truncatingIfNeeded: (column & 3) &* 8)) & 0xFF
    if matrix.pointee.isSigns {
      codes = codes &+ codes
    }
    let values =
      matrix.pointee.isAffine
      ? scales * SIMD16<Float>(codes) + offsets : scales * SIMD16<Float>(codes &- zero)
    UnsafeMutableRawPointer(output + column &* stride).storeBytes(
      of: values, as: SIMD16<Float>.self)
    column = column &+ 1
  }
}

/// Writes row `row` (0..<16) of a dense tile as float32.
package func widenRow(
  _ storage: ScaleStorage, tile: UnsafeRawPointer, row: Int, columns: Int,
  into output: UnsafeMutablePointer<Float>
) {
  var column = 0
  while column < columns {
    output[column] = element(tile, column &* 16 &+ row, storage)
    column = column &+ 1
  }
}

/// Writes a dense tile as float32 (column, 16 rows), `stride` elements between columns.
package func widenTile(
  _ storage: ScaleStorage, tile: UnsafeRawPointer, columns: Int,
  into output: UnsafeMutablePointer<Float>, stride: Int
) {
  var column = 0
  while column < columns {
    var row = 0
    while row < 16 {
      output[column &* stride &+ row] = element(tile, column &* 16 &+ row, storage)
      row = row &+ 1
    }
    column = column &+ 1
  }
}
