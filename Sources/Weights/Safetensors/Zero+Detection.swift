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
    guard
      let first = (0..<count).first(where: { scales.finiteScale($0, type).map { $0 != 0 } ?? true }
      ),
      let scale = scales.finiteScale(first, type), let bias = biases.finiteScale(first, type)
    else { return }
    let zero = -bias / scale
    let isSigns = bits == 1 && zero == 0.5
    let isInteger = bits > 1 && zero >= 0 && zero < Float(1 << bits) && zero == zero.rounded()
    guard isSigns || isInteger else { return }
    for index in 0..<count {
      // Double makes the product exact: at most 8 bits times at most 24.
      guard let scale = scales.finiteScale(index, type), let bias = biases.finiteScale(index, type),
        Double(bias) == -Double(zero) * Double(scale)
      else { return }
    }
    self = isSigns ? .signs : .symmetric(Int(zero))
  }
}

extension FileBytes {
  /// A stored scale; nil if it is infinite or not a number.
  @inline(__always)
  fileprivate func finiteScale(_ index: Int, _ type: ScaleType) -> Float? {
    let value: Float
    switch type {
    case .float16:
      let bits = load(UInt16.self, at: 2 * index)
      guard bits & 0x7C00 != 0x7C00 else { return nil }
      // The exponent's bias differs by 112; the product is exact, subnormals included, and faster
      // than a call of the conversion routine.
      let magnitude = Float(bitPattern: UInt32(bits & 0x7FFF) << 13) * 0x1p112
      value = bits & 0x8000 == 0 ? magnitude : -magnitude
    case .bfloat16: value = Float(bitPattern: UInt32(load(UInt16.self, at: 2 * index)) << 16)
    case .float32: value = Float(bitPattern: load(at: 4 * index))
    }
    return value.isFinite ? value : nil
  }
}
