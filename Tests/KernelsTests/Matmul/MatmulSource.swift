import Kernels

/// Numbers that a seed determines (SplitMix64).
struct MatmulRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A matrix of invented rows, in the form that a file's rows are unpacked to.
struct MatmulSource: RowSource {
  let name: String
  let rows: Int
  let columns: Int
  let format: MatrixFormat
  /// One code per byte (row, column).
  var codes: [UInt8]
  /// Stored values (row, byte).
  var scales: [UInt8]
  var offsets: [UInt8]

  var sourceByteCount: Int {
    rows * (columns * (format.bits ?? 0) / 8) + fileScaleBytes
  }

  /// The file's form of Q4_K and Q5_K packs its sixteen 6-bit factors in 12 bytes.
  private var fileScaleBytes: Int {
    if case .superblockAffine = format { return rows * columns / 256 * 16 }
    return scales.count + offsets.count
  }

  init(rows: Int, columns: Int, format: MatrixFormat, seed: UInt64 = 1, extreme: Bool = false) {
    var random = MatmulRandom(seed: seed)
    name = "invented"
    self.rows = rows
    self.columns = columns
    self.format = format
    let top = UInt8((1 << (format.bits ?? 1)) - 1)
    codes =
      format.bits == nil
      ? []
      : (0..<rows * columns).map { _ in extreme ? top : UInt8.random(in: 0...top, using: &random) }
    let counts = format.rowByteCounts(columns: columns)
    scales = Self.values(counts.scales * rows, format, offsets: false, &random)
    offsets = Self.values(counts.offsets * rows, format, offsets: true, &random)
  }

  private static func values(
    _ count: Int, _ format: MatrixFormat, offsets: Bool, _ random: inout MatmulRandom
  ) -> [UInt8] {
    switch format {
    case .grouped(_, _, let type, _), .dense(let type):
      return (0..<count / type.byteCount).flatMap { _ in
        bytes(Float.random(in: -0.05...0.05, using: &random), type)
      }
    case .superblockAffine, .superblockSymmetric:
      let factors = format == .superblockSymmetric ? 16 : 8
      let top: UInt8 = format == .superblockSymmetric ? 255 : 63
      return (0..<count / (2 + factors)).flatMap { _ in
        bytes(Float.random(in: -0.01...0.01, using: &random), .float16)
          + (0..<factors).map { _ in UInt8.random(in: 0...top, using: &random) }
      }
    }
  }

  static func bytes(_ value: Float, _ type: ScaleType) -> [UInt8] {
    switch type {
    case .float16: littleEndian(Float16(value).bitPattern)
    case .bfloat16: littleEndian(UInt16(truncatingIfNeeded: value.bitPattern >> 16))
    case .float32: littleEndian(value.bitPattern)
    }
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    for index in codes.indices {
      codes[index] = self.codes[row * columns + index]
    }
    for index in scales.indices {
      scales[index] = self.scales[row * scales.count + index]
    }
    for index in offsets.indices {
      offsets[index] = self.offsets[row * offsets.count + index]
    }
  }
}
