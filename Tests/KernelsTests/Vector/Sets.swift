import Kernels
import KernelsAVX2
import KernelsAVX512
import KernelsPortable

/// The sets that this processor has.
let supportedSets = InstructionSet.allCases.filter(\.isSupported)

/// One `Compute` for each set and number of threads.
func computes(threads: Int = 1) throws -> [Compute] {
  try supportedSets.map { try Compute(threads: threads, instructionSet: $0) }
}

extension InstructionSet {
  /// e^x of each element by this set's kernel.
  func exponentials(_ x: [Float]) -> [Float] {
    let source = Slab(x)
    let target = Slab<Float>(count: x.count)
    switch self {
    case .portable: unsafe KernelsPortable.exponentials(source.base, target.base, count: x.count)
    #if arch(x86_64)
      case .avxvnni, .avx2:
        unsafe KernelsAVX2.exponentials(source.base, target.base, count: x.count)
      case .gfni, .avx512:
        unsafe KernelsAVX512.exponentials(source.base, target.base, count: x.count)
    #else
      default: break
    #endif
    }
    return target.elements(0..<x.count)
  }

  /// The float16 bits of each element by this set's kernel, stored `stride` apart.
  func float16Bits(_ x: [Float], stride: Int = 1) -> [UInt16] {
    let source = Slab(x)
    let target = Slab<UInt16>(count: x.count * stride)
    let count = x.count
    switch self {
    case .portable:
      unsafe KernelsPortable.storeFloat16(
        source.base, count: count, target.base, stride: stride)
    #if arch(x86_64)
      case .avxvnni, .avx2:
        unsafe KernelsAVX2.storeFloat16(source.base, count: count, target.base, stride: stride)
      case .gfni, .avx512:
        unsafe KernelsAVX512.storeFloat16(
          source.base, count: count, target.base, stride: stride)
    #else
      default: break
    #endif
    }
    return (0..<count).map { target[$0 * stride] }
  }
}

/// Small numbers that are the same in every run.
struct Noise {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func bits() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_f491_4f6c_dd1d
  }

  mutating func float(_ range: ClosedRange<Float> = -2...2) -> Float {
    let unit = Float(bits() >> 40) / Float(1 << 24)
    return range.lowerBound + (range.upperBound - range.lowerBound) * unit
  }

  mutating func floats(_ count: Int, _ range: ClosedRange<Float> = -2...2) -> [Float] {
    (0..<count).map { _ in float(range) }
  }
}

extension FloatRows {
  /// A copy of the rows, without what lies between them.
  var elements: [Float] { (0..<rows).flatMap { elements(row: $0) } }

  /// Rows with random elements, in a slab whose other elements are `filler`.
  static func random(
    rows: Int, columns: Int, stride: Int? = nil, offset: Int = 0, seed: UInt64,
    filler: Float = 0, _ range: ClosedRange<Float> = -2...2
  ) -> FloatRows {
    let stride = stride ?? columns
    let slab = Slab([Float](repeating: filler, count: offset + rows * stride + 32))
    let result = FloatRows(slab, offset: offset, rows: rows, columns: columns, stride: stride)
    var noise = Noise(seed)
    for row in 0..<rows {
      for column in 0..<columns {
        result[row, column] = noise.float(range)
      }
    }
    return result
  }
}

/// The bits of each element.
func bitPatterns(_ x: [Float]) -> [UInt32] { x.map(\.bitPattern) }
