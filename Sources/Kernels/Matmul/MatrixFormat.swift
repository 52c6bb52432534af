/// The type in which a matrix keeps its scales, or a dense matrix its elements.
package enum ScaleType: Sendable, Hashable {
  case float16, bfloat16, float32

  /// Bytes of one value.
  package var byteCount: Int {
    switch self {
    case .float16, .bfloat16: 2
    case .float32: 4
    }
  }
}

/// How the code of a weight becomes its value.
package enum Zero: Sendable, Hashable {
  /// w = s·(u − z).
  case symmetric(Int)
  /// One bit: w = s·(2u − 1).
  case signs
  /// w = s·u + b, with b stored.
  case affine
}

/// The form a matrix has in memory and in its file.
package enum MatrixFormat: Sendable, Hashable {
  /// Codes of 1, 2, 3, 4, 5, 6 or 8 bits in groups of 16, 32, 64 or 128 along the input.
  case grouped(bits: Int, group: Int, scale: ScaleType, zero: Zero)
  /// Q4_K and Q5_K: per 256 inputs a float16 d and dmin with 8-bit s and m per 32;
  /// w = (d·s)·u − (dmin·m).
  case superblockAffine(bits: Int)
  /// Q6_K: per 256 inputs a float16 d with an int8 scale per 16; w = (d·s)·(u − 32).
  case superblockSymmetric
  /// Elements as they are.
  case dense(ScaleType)
}
