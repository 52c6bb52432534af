/// The type that scales, or dense elements, are stored in.
package enum ScaleType: Sendable, Hashable {
  case float16, bfloat16, float32

  package var byteCount: Int { self == .float32 ? 4 : 2 }
}

/// What a code of zero stands for.
package enum Zero: Sendable, Hashable {
  /// w = s·(u − z).
  case symmetric(Int)
  /// One bit: w = s·(2u − 1).
  case signs
  /// w = s·u + b.
  case affine
}

/// How the elements of a matrix are stored, in its file and in its tiles alike.
package enum MatrixFormat: Sendable, Hashable {
  /// Codes of 1, 2, 3, 4, 5, 6 or 8 bits in groups of 16, 32, 64 or 128 inputs.
  case grouped(bits: Int, group: Int, scale: ScaleType, zero: Zero)
  /// Q4_K and Q5_K: per 256 inputs float16 d and dmin, per 32 unsigned 8-bit s_k and m_k;
  /// w = (d·s_k)·u − (dmin·m_k).
  case superblockAffine(bits: Int)
  /// Q6_K: per 256 inputs a float16 d, per 16 a signed 8-bit scale; w = (d·sc)·(u − 32).
  case superblockSymmetric
  case dense(ScaleType)

  /// Bits of a code; nil for dense matrices.
  package var bits: Int? {
    switch self {
    case .grouped(let bits, _, _, _), .superblockAffine(let bits): bits
    case .superblockSymmetric: 6
    case .dense: nil
    }
  }

  /// Inputs that share a scale; nil for dense matrices.
  package var group: Int? {
    switch self {
    case .grouped(_, let group, _, _): group
    case .superblockAffine: 32
    case .superblockSymmetric: 16
    case .dense: nil
    }
  }

  /// Inputs that share a scale of the quantised activations; nil for dense matrices, which take
  /// float activations.
  ///
  /// Models with narrow matrices are small, and small models feel the rounding of activations most:
  /// in groups of 32 it costs SmolLM2-135M (576 columns) 0.49 % of its perplexity and in groups of 16
  /// half of that, and Qwen2.5-0.5B (896 columns) in MLX's 4 and 8 bits up to 0.38 % and up to 0.29 %.
  package func activationGroup(columns: Int) -> Int? {
    group.map { columns < Self.narrow ? 16 : min($0, 32) }
  }

  /// Matrices with fewer columns than this are narrow.
  private static var narrow: Int { 1_024 }

  /// Groups whose scales lie together in a tile: a super-block's, or two, so that 16-bit scales of
  /// 16 rows fill whole cache lines.
  var chunkGroups: Int {
    switch self {
    case .superblockAffine: 8
    case .superblockSymmetric: 16
    case .grouped, .dense: 2
    }
  }

  package var isAffine: Bool {
    switch self {
    case .grouped(_, _, _, .affine), .superblockAffine: true
    default: false
    }
  }

  /// The integer z of w = s·(u − z), where a code of signs counts twice; nil if affine or dense.
  var zero: Int? {
    switch self {
    case .grouped(_, _, _, .symmetric(let zero)): zero
    case .grouped(_, _, _, .signs): 1
    case .superblockSymmetric: 32
    default: nil
    }
  }

  /// Bytes of scales (for dense matrices, of elements) and of offsets in a row as a
  /// ``RowSource`` unpacks it.
  package func rowByteCounts(columns: Int) -> (scales: Int, offsets: Int) {
    switch self {
    case .grouped(_, let group, let scale, let zero):
      let bytes = columns / group * scale.byteCount
      return (bytes, zero == .affine ? bytes : 0)
    case .superblockAffine: return (columns / 256 * 10, columns / 256 * 10)
    case .superblockSymmetric: return (columns / 256 * 18, 0)
    case .dense(let type): return (columns * type.byteCount, 0)
    }
  }
}
