import Kernels

extension UnpackedRow {
  /// Writes the row's values to `target`, which holds as many as the row; the same numbers as
  /// ``value(_:)``, without choosing the form anew for each.
  package func copyValues(to target: inout MutableSpan<Float>) {
    switch format {
    case .dense(.float32):
      for column in 0..<target.count { target[column] = scales.float32(at: 4 * column) }
    case .dense(.float16):
      for column in 0..<target.count { target[column] = scales.float16(at: 2 * column) }
    case .dense(.bfloat16):
      for column in 0..<target.count { target[column] = scales.bfloat16(at: 2 * column) }
    case .grouped(_, let group, let type, let zero):
      for start in stride(from: 0, to: target.count, by: group) {
        let scale = scales.value(start / group, type)
        let end = min(start + group, target.count)
        switch zero {
        case .symmetric(let zero):
          for column in start..<end {
            target[column] = scale * Float(Int32(codes[column]) - Int32(zero))
          }
        case .signs:
          for column in start..<end { target[column] = codes[column] == 0 ? -scale : scale }
        case .affine:
          let offset = offsets.value(start / group, type)
          for column in start..<end { target[column] = scale * Float(codes[column]) + offset }
        }
      }
    case .superblockAffine, .superblockSymmetric:
      for column in 0..<target.count { target[column] = value(column) }
    }
  }
}
