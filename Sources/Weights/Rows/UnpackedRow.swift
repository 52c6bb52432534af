package import Kernels

/// One row as a `RowSource` unpacks it, in buffers of the right size, to be filled again and again.
package struct UnpackedRow {
  package let format: MatrixFormat
  /// Unsigned codes, one per column; none if dense.
  package private(set) var codes: [UInt8]
  /// Scales in their storage type, or a dense row's elements.
  package private(set) var scales: [UInt8]
  /// Offsets in their storage type; none if symmetric or dense.
  package private(set) var offsets: [UInt8]

  /// Buffers for rows of `columns` in `format`.
  package init(format: MatrixFormat, columns: Int) {
    self.format = format
    let sizes: (codes: Int, scales: Int, offsets: Int) =
      switch format {
      case .grouped(_, let group, let scale, let zero):
        (
          columns, columns / group * scale.byteCount,
          zero == .affine ? columns / group * scale.byteCount : 0
        )
      case .superblockAffine: (columns, columns / 256 * 10, columns / 256 * 10)
      case .superblockSymmetric: (columns, columns / 256 * 18, 0)
      case .dense(let type): (0, columns * type.byteCount, 0)
      }
    codes = Array(repeating: 0, count: sizes.codes)
    scales = Array(repeating: 0, count: sizes.scales)
    offsets = Array(repeating: 0, count: sizes.offsets)
  }

  /// Fills the buffers with a row.
  package mutating func unpack(_ source: any RowSource, row: Int) throws {
    try Self.unpack(source, row: row, &codes, &scales, &offsets)
  }

  // Spans of three properties of one value at once are not provably disjoint; of three
  // parameters they are.
  private static func unpack(
    _ source: any RowSource, row: Int, _ codes: inout [UInt8], _ scales: inout [UInt8],
    _ offsets: inout [UInt8]
  ) throws {
    var codeSpan = codes.mutableSpan
    var scaleSpan = scales.mutableSpan
    var offsetSpan = offsets.mutableSpan
    try source.unpack(row: row, codes: &codeSpan, scales: &scaleSpan, offsets: &offsetSpan)
  }

  /// The value of an element, each operation rounded to float32.
  package func value(_ column: Int) -> Float {
    switch format {
    case .dense(let type):
      return scales.value(column, type)
    case .grouped(_, let group, let type, let zero):
      let scale = scales.value(column / group, type)
      switch zero {
      case .symmetric(let zero): return scale * Float(Int(codes[column]) - zero)
      case .signs: return codes[column] == 0 ? -scale : scale
      case .affine:
        return scale * Float(codes[column]) + offsets.value(column / group, type)
      }
    case .superblockAffine:
      let (start, part) = (column / 256 * 10, column % 256 / 32)
      let scale = scales.float16(at: start) * Float(scales[start + 2 + part])
      let minimum = offsets.float16(at: start) * Float(offsets[start + 2 + part])
      return scale * Float(codes[column]) - minimum
    case .superblockSymmetric:
      let (start, part) = (column / 256 * 18, column % 256 / 16)
      let scale = scales.float16(at: start) * Float(Int8(bitPattern: scales[start + 2 + part]))
      return scale * Float(Int(codes[column]) - 32)
    }
  }
}

extension [UInt8] {
  func value(_ index: Int, _ type: ScaleType) -> Float {
    switch type {
    case .float16: float16(at: 2 * index)
    case .bfloat16: bfloat16(at: 2 * index)
    case .float32: float32(at: 4 * index)
    }
  }

  func float16(at index: Int) -> Float {
    Float(Float16(bitPattern: UInt16(self[index]) | UInt16(self[index + 1]) << 8))
  }

  func bfloat16(at index: Int) -> Float {
    Float(bitPattern: UInt32(self[index]) << 16 | UInt32(self[index + 1]) << 24)
  }

  func float32(at index: Int) -> Float {
    Float(
      bitPattern: UInt32(self[index]) | UInt32(self[index + 1]) << 8
        | UInt32(self[index + 2]) << 16 | UInt32(self[index + 3]) << 24)
  }
}

extension RowSource {
  /// All elements as float32, rows one after another.
  package func elements() throws -> [Float] {
    var row = UnpackedRow(format: format, columns: columns)
    var result: [Float] = []
    result.reserveCapacity(rows * columns)
    for index in 0..<rows {
      try row.unpack(self, row: index)
      for column in 0..<columns { result.append(row.value(column)) }
    }
    return result
  }

  /// All elements as float32; throws if one is infinite or not a number.
  func finiteElements(file: String) throws -> [Float] {
    let elements = try elements()
    if let index = elements.firstIndex(where: { !$0.isFinite }) {
      throw WeightsError.invalid(file: file, .tensor(name: name, .nonFinite(index: index)))
    }
    return elements
  }
}
