package import Kernels

/// Quantises rows, one after another, with buffers of its own.
package struct RowQuantiser {
  private let form: WeightForm
  private let bits: Int
  private let group: Int
  private let type: ScaleType
  /// 1.5·2²³: adding and subtracting it rounds to the nearest integer, ties to even, what is smaller
  /// than 2²²; the library's function is a call where the CPU is not known to have the instruction.
  private static let roundingShift: Float = 12_582_912

  /// A quantiser to a `form` that is not plain.
  package init(_ form: WeightForm, type: ScaleType) {
    guard let packing = form.packing else { preconditionFailure("a plain form has no codes") }
    self.form = form
    (bits, group) = packing
    self.type = type
  }

  /// Writes a row's codes, scales and biases, little-endian.
  ///
  /// `weights` are numbers of the model's type, a multiple of the group. `codes` take as many bytes for
  /// every 8 of them as a code has bits; `scales` and `biases` a number of that type for every group.
  ///
  /// - Throws: ``GroupProblem``.
  package func quantise(
    _ weights: Span<Float>, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    biases: inout MutableSpan<UInt8>
  ) throws(GroupProblem) {
    var writer = BitWriter()
    for index in 0..<weights.count / group {
      let range = index * group..<(index + 1) * group
      let grid = try grid(weights, range, index: index)
      let scale = type.rounded(grid.scale)
      guard scale.isFinite else { throw .overflow(group: index) }
      scales.store(scale, type, at: index)
      biases.store(type.rounded(grid.bias), type, at: index)
      let top = Float((1 << bits) - 1)
      for column in range {
        // A scale of zero stands for a group of zeros; any code will do.
        let code = grid.scale == 0 ? 1 : (weights[column] - grid.bias) / grid.scale
        let bounded = min(max(code, 0), top)
        let whole = (bounded + Self.roundingShift) - Self.roundingShift
        writer.append(UInt64(UInt8(whole)), bits: bits, to: &codes)
      }
    }
  }

  private func grid(
    _ weights: Span<Float>, _ range: Range<Int>, index: Int
  ) throws(GroupProblem) -> GroupGrid {
    var least = weights[range.lowerBound]
    var greatest = least
    // Zero times what is not finite is not a number, which comparisons would pass over.
    var probe: Float = 0
    for column in range {
      probe += weights[column] * 0
      least = min(least, weights[column])
      greatest = max(greatest, weights[column])
    }
    guard probe == 0 else { throw .notFinite(group: index) }
    guard case .ternary = form else {
      return GroupGrid(least: least, greatest: greatest, bits: bits)
    }
    let size = max(abs(least), abs(greatest))
    for column in range where weights[column] != 0 && abs(weights[column]) != size {
      throw .notTernary(group: index, size: size, other: weights[column])
    }
    return GroupGrid(ternary: size)
  }
}

/// Why a group cannot be quantised.
package enum GroupProblem: Error, Hashable {
  case notFinite(group: Int)
  /// The step between codes is too large for the type of the scales.
  case overflow(group: Int)
  /// There is a weight that is neither zero nor ± the largest magnitude.
  case notTernary(group: Int, size: Float, other: Float)
}

extension GroupGrid {
  /// The grid −d, 0, +d.
  fileprivate init(ternary size: Float) {
    scale = size
    bias = -size
  }
}

/// Packs codes lowest bit first, as MLX does whatever the width.
private struct BitWriter {
  private var word: UInt64 = 0
  private var count = 0
  private var position = 0

  @inline(__always)
  mutating func append(_ code: UInt64, bits: Int, to target: inout MutableSpan<UInt8>) {
    word |= code << UInt64(count)
    count += bits
    while count >= 8 {
      target[position] = UInt8(truncatingIfNeeded: word)
      position += 1
      word >>= 8
      count -= 8
    }
  }
}

extension MutableSpan<UInt8> {
  /// Writes a number that is one of `type` at `index`, little-endian.
  @inline(__always)
  mutating func store(_ value: Float, _ type: ScaleType, at index: Int) {
    switch type {
    case .float32:
      let bits = value.bitPattern
      for byte in 0..<4 { self[4 * index + byte] = UInt8(truncatingIfNeeded: bits >> (8 * byte)) }
    case .float16:
      let bits = Float16(value).bitPattern
      self[2 * index] = UInt8(truncatingIfNeeded: bits)
      self[2 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
    case .bfloat16:
      let bits = value.bitPattern >> 16
      self[2 * index] = UInt8(truncatingIfNeeded: bits)
      self[2 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
    }
  }
}
