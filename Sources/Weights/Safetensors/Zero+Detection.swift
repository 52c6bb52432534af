import Kernels

extension Zero {
  /// The form that holds for every group of a matrix.
  ///
  /// Symmetric if one integer z gives b = −z·s exactly in all of them, signs if the codes are one
  /// bit and b = −s/2 in all of them (the case of Bonsai's 1-bit files, as z = 1 is of its ternary
  /// ones), else affine. A file that mx.quantize made is refuted by one of its first groups.
  init(scales: FileBytes, biases: FileBytes, type: ScaleType, bits: Int) {
    let count = scales.count / type.byteCount
    self = .affine
    // A group whose scale is zero says nothing.
    guard let first = (0..<count).first(where: { scales.scale($0, type) != 0 }) else { return }
    let zero = -biases.scale(first, type) / scales.scale(first, type)
    let isSigns = bits == 1 && zero == 0.5
    let isInteger = bits > 1 && zero >= 0 && zero < Float(1 << bits) && zero == zero.rounded()
    guard isSigns || isInteger else { return }
    // Chunks, so that the loop inside has no way out and becomes vector code.
    var start = 0
    while start < count {
      let chunk = start..<min(count, start + 256)
      guard Self.holds(zero, chunk, scales: scales, biases: biases, type: type) else { return }
      start = chunk.upperBound
    }
    self = isSigns ? .signs : .symmetric(Int(zero))
  }

  /// Whether b = −z·s in these groups, all of them finite.
  private static func holds(
    _ zero: Float, _ groups: Range<Int>, scales: FileBytes, biases: FileBytes, type: ScaleType
  ) -> Bool {
    var wrong: UInt32 = 0
    switch type {
    case .float16:
      for index in groups {
        let scale = Half(scales.load(at: 2 * index))
        let bias = Half(biases.load(at: 2 * index))
        wrong |= scale.isNotFinite | bias.isNotFinite
        wrong |= bias.value == -zero * scale.value ? 0 : 1
      }
    case .bfloat16:
      for index in groups {
        let scale = scales.scale(index, type)
        let bias = biases.scale(index, type)
        wrong |= bias == -zero * scale && scale.isFinite && bias.isFinite ? 0 : 1
      }
    case .float32:
      // Double makes the product exact: at most 8 bits times 24.
      for index in groups {
        let scale = Double(scales.scale(index, type))
        let bias = Double(biases.scale(index, type))
        wrong |= bias == -Double(zero) * scale && scale.isFinite && bias.isFinite ? 0 : 1
      }
    }
    return wrong == 0
  }
}

/// A float16 as a float32, by integers and one exact product: the conversion of the baseline CPU is
/// a call, and there are 10⁸ scales in a large model.
private struct Half {
  private let bits: UInt32

  @inline(__always)
  init(_ bits: UInt16) {
    self.bits = UInt32(bits)
  }

  /// The value, subnormals included; meaningless if it is not finite.
  @inline(__always)
  var value: Float {
    // The biases of the exponents differ by 112.
    let magnitude = Float(bitPattern: (bits & 0x7FFF) &<< 13) * 0x1p112
    return Float(bitPattern: magnitude.bitPattern | (bits & 0x8000) &<< 16)
  }

  /// Nonzero if it is infinite or not a number.
  @inline(__always)
  var isNotFinite: UInt32 {
    ((bits & 0x7C00) &+ 0x400) & 0x8000
  }
}

extension FileBytes {
  /// A stored scale.
  fileprivate func scale(_ index: Int, _ type: ScaleType) -> Float {
    switch type {
    case .float16: Float(Float16(bitPattern: load(at: 2 * index)))
    case .bfloat16: Float(bitPattern: UInt32(load(UInt16.self, at: 2 * index)) << 16)
    case .float32: Float(bitPattern: load(at: 4 * index))
    }
  }
}
