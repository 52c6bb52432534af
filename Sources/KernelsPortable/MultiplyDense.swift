package import KernelTypes

/// Computes `count` tiles from `first` of a dense product (N4).
package func multiplyDense(_ job: UnsafePointer<DenseProduct>, _ first: Int, _ count: Int) {
  switch job.pointee.storage {
  case .float16: multiplyTiles(job, first, count, .float16)
  case .bfloat16: multiplyTiles(job, first, count, .bfloat16)
  default: multiplyTiles(job, first, count, .float32)
  }
}

@inline(always)
private func multiplyTiles(
  _ job: UnsafePointer<DenseProduct>, _ first: Int, _ count: Int, _ storage: ScaleStorage
) {
  var index = first
  while index < first &+ count {
    let tile = job.pointee.tiles + index &* job.pointee.tileStride
    var token = 0
    while token < job.pointee.tokens {
      let x = job.pointee.input + token &* job.pointee.inputStride
      var sums = SIMD16<Float>.zero
      var column = 0
      while column < job.pointee.columns {
        sums = sums + elements(tile, column, storage) * x[column]
        column = column &+ 1
      }
      storeRows(
        sums, job.pointee.output + token &* job.pointee.outputStride + index &* 16,
        rows: job.pointee.rows &- index &* 16, adds: job.pointee.adds)
      token = token &+ 1
    }
    index = index &+ 1
  }
}

/// The 16 rows of one input.
@inline(always)
private func elements(
  _ tile: UnsafeRawPointer, _ column: Int, _ storage: ScaleStorage
) -> SIMD16<Float> {
  var values = SIMD16<Float>.zero
  var row = 0
  while row < 16 {
    values[row] = element(tile, column &* 16 &+ row, storage)
    row = row &+ 1
  }
  return values
}
