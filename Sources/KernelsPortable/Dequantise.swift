package import KernelTypes

/// Writes row `row` (0..<16) of a tile as float32: s·(u − z), or s·u + b.
///
/// `scratch` has room for one block of 512 codes.
package func dequantiseRow(
  _ job: UnsafePointer<GroupedProduct>, tile: UnsafeRawPointer, row: Int, zero: Int32,
  scratch: UnsafeMutableRawPointer, into output: UnsafeMutablePointer<Float>
) {
  let bits = job.pointee.bits
  let group = job.pointee.group
  var column = 0
  while column < job.pointee.columns {
    unpackBlock(
      tile + job.pointee.codesSection + column / 32 &* bits &* 64, bits: bits, into: scratch)
    var start = 0
    while start < 32 {
      let index = (column &+ start) / group
      let scale = tileScale(job, tile, index, row)
      let offset = job.pointee.isAffine ? tileOffset(job, tile, index, row) : 0
      let end = start &+ min(group, 32)
      while start < end {
        let code = scratch.load(
          fromByteOffset: (start &>> 2) &* 64 &+ row &* 4 &+ (start & 3), as: UInt8.self)
        if job.pointee.isAffine {
          output[column &+ start] = scale * Float(code) + offset
        } else {
          let value = job.pointee.isSigns ? 2 &* Int32(code) : Int32(code)
          output[column &+ start] = scale * Float(value &- zero)
        }
        start = start &+ 1
      }
    }
    column = column &+ 32
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
