import Kernels

// The rules N1, N2 and N4 stated once more, as plainly as possible and on row-major data, for the
// kernels to be checked against.

extension MatmulSource {
  /// The scale of a row and group; for dense matrices, the element.
  func scale(_ row: Int, _ group: Int) -> Float {
    value(scales, row, group, factors: format == .superblockSymmetric ? 16 : 8)
  }

  func offset(_ row: Int, _ group: Int) -> Float {
    guard format.isAffine else { return 0 }
    let value = value(offsets, row, group, factors: 8)
    if case .superblockAffine = format { return -value }
    return value
  }

  private func value(_ bytes: [UInt8], _ row: Int, _ group: Int, factors: Int) -> Float {
    let rowBytes = bytes.count / rows
    switch format {
    case .grouped(_, _, let type, _), .dense(let type):
      return Self.float(bytes, row * rowBytes + group * type.byteCount, type)
    case .superblockAffine, .superblockSymmetric:
      let start = row * rowBytes + group / factors * (2 + factors)
      let factor = bytes[start + 2 + group % factors]
      let d = Self.float(bytes, start, .float16)
      return format == .superblockSymmetric
        ? d * Float(Int8(bitPattern: factor)) : d * Float(factor)
    }
  }

  private static func float(_ bytes: [UInt8], _ at: Int, _ type: ScaleType) -> Float {
    let low = UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
    switch type {
    case .float16: return Float(Float16(bitPattern: low))
    case .bfloat16: return Float(bitPattern: UInt32(low) << 16)
    case .float32:
      let high = UInt16(bytes[at + 2]) | UInt16(bytes[at + 3]) << 8
      return Float(bitPattern: UInt32(low) | UInt32(high) << 16)
    }
  }

  /// u − z, with signs as ±1; the code itself if affine.
  func integer(_ row: Int, _ column: Int) -> Int {
    let code = Int(codes[row * columns + column])
    switch format {
    case .grouped(_, _, _, .symmetric(let zero)): return code - zero
    case .grouped(_, _, _, .signs): return 2 * code - 1
    case .superblockSymmetric: return code - 32
    default: return code
    }
  }

  /// One element as float32.
  func weight(_ row: Int, _ column: Int) -> Float {
    guard let group = format.group else { return scale(row, column) }
    let product = scale(row, column / group) * Float(integer(row, column))
    return format.isAffine ? product + offset(row, column / group) : product
  }

  /// W·x by the rules.
  func product(_ x: [Float]) -> [Float] {
    guard let group = format.group else {
      return (0..<rows).map { row in
        var sum: Float = 0
        for column in 0..<columns {
          let product = weight(row, column) * x[column]
          sum = sum + product
        }
        return sum
      }
    }
    let inputGroup = columns < 1_024 ? 16 : min(group, 32)
    let (q, s) = MatmulSource.quantised(x, group: inputGroup)
    return (0..<rows).map { row in
      var sum: Float = 0
      for index in 0..<columns / group {
        var t: Float = 0
        var tOfOnes: Float = 0
        for inside in index * group / inputGroup..<(index + 1) * group / inputGroup {
          var dot = 0
          var ones = 0
          for column in inside * inputGroup..<(inside + 1) * inputGroup {
            dot += integer(row, column) * q[column]
            ones += q[column]
          }
          let scaled = s[inside] * Float(dot)
          t = t + scaled
          let scaledOnes = s[inside] * Float(ones)
          tOfOnes = tOfOnes + scaledOnes
        }
        let product = scale(row, index) * t
        sum = sum + product
        if format.isAffine {
          let correction = offset(row, index) * tOfOnes
          sum = sum + correction
        }
      }
      return sum
    }
  }

  /// N1, with the scale of a group that is not finite made NaN or infinite.
  static func quantised(_ x: [Float], group: Int) -> (q: [Int], s: [Float]) {
    var q = [Int](repeating: 0, count: x.count)
    var s: [Float] = []
    for start in stride(from: 0, to: x.count, by: group) {
      let values = x[start..<start + group]
      if values.contains(where: \.isNaN) {
        s.append(.nan)
        continue
      }
      let a = values.map(\.magnitude).max() ?? 0
      if a.isInfinite {
        s.append(.infinity)
      } else if a < Float(sign: .plus, exponent: -100, significand: 1) {
        s.append(0)
      } else {
        s.append(a / 127)
        for column in start..<start + group {
          let scaled = x[column] * (127 / a)
          q[column] = max(-127, min(127, Int(scaled.rounded(.toNearestOrEven))))
        }
      }
    }
    return (q, s)
  }
}
