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
    let quad = type == .float16 ? HalfQuad(zero: zero) : nil
    var index = 0
    while index < count {
      let next = min(index + 4, count)
      let isProven =
        next == index + 4
        && quad?.proves(scales.load(at: 2 * index), biases.load(at: 2 * index)) == true
      guard isProven || Self.holds(zero, index..<next, scales, biases, type) else { return }
      index = next
    }
    self = isSigns ? .signs : .symmetric(Int(zero))
  }

  /// Whether b = −z·s in these groups, all of them finite.
  private static func holds(
    _ zero: Float, _ groups: Range<Int>, _ scales: FileBytes, _ biases: FileBytes, _ type: ScaleType
  ) -> Bool {
    groups.allSatisfy { index in
      // Double makes the product exact: at most 8 bits times 24.
      let scale = Double(scales.scale(index, type))
      let bias = Double(biases.scale(index, type))
      return scale.isFinite && bias.isFinite && bias == -Double(zero) * scale
    }
  }
}

/// Four float16 scales and biases tested at once, for a z that is a power of two.
///
/// There are 2·10⁸ groups in a large model, and converting float16 is a call on the baseline CPU.
/// Multiplying a normal number by 2ᵏ adds k to its exponent; so −z·s is s with k added and its sign
/// flipped, as long as s and the result are normal.
private struct HalfQuad {
  /// k, in the place of the exponent.
  private let shift: UInt64
  private let isHalf: Bool
  private static let lanes: UInt64 = 0x0001_0001_0001_0001
  private static let signs = lanes &* 0x8000

  /// Nil unless `zero` is ½ or a power of two up to 128.
  init?(zero: Float) {
    guard zero >= 0.5, zero <= 128, zero.significand == 1 else { return nil }
    isHalf = zero == 0.5
    shift = Self.lanes &* (isHalf ? 0x400 : UInt64(zero.exponent) &* 0x400)
  }

  /// Whether b = −z·s in all four; false also where that cannot be told.
  @inline(__always)
  func proves(_ scales: UInt64, _ biases: UInt64) -> Bool {
    let small = isHalf ? biases : scales
    let large = isHalf ? scales : biases
    let smallest = small & ~Self.signs
    let largest = smallest &+ shift
    // At least 0x400 each, and less than 0x7C00; no sum reaches the next lane.
    let isNormal =
      (smallest &+ Self.lanes &* 0x7C00) & Self.signs == Self.signs
      && (largest &+ Self.lanes &* 0x400) & Self.signs == 0
    return isNormal && large == largest | (~small & Self.signs)
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
