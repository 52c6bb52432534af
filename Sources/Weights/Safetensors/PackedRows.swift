import Kernels

/// The rows of an MLX matrix: packed codes with a scale and a bias per group.
///
/// A row's codes are one stream of bits, lowest first, whatever the width.
struct PackedRows: RowSource {
  let name: String
  let rows: Int
  let columns: Int
  let format: MatrixFormat
  private let bits: Int
  private let zero: Zero
  private let codes: FileBytes
  private let scales: FileBytes
  private let biases: FileBytes

  var sourceByteCount: Int { codes.count + scales.count + biases.count }

  private static let widths: Set = [1, 2, 3, 4, 5, 6, 8]
  private static let groups: Set = [32, 64, 128]

  /// Infers width and group from the shapes; throws if none fits.
  init(
    weight: SafetensorsTensor, scales: SafetensorsTensor, biases: SafetensorsTensor, columns: Int?
  ) throws(WeightsError) {
    let file = weight.bytes.file.path
    func fail(_ problem: TensorProblem) -> WeightsError {
      .invalid(file: file, .tensor(name: weight.name, problem))
    }
    guard weight.type == .uint32 else {
      throw fail(.scales("its codes are \(weight.typeName), not U32"))
    }
    guard let type = scales.type?.scaleType else {
      throw WeightsError.unsupported(
        file: file, .dtype(tensor: scales.name, name: scales.typeName))
    }
    guard biases.typeName == scales.typeName, biases.shape == scales.shape else {
      throw fail(
        .scales(
          "its biases are \(biases.typeName) \(biases.shape), its scales "
            + "\(scales.typeName) \(scales.shape)"))
    }
    guard let columns,
      let shape = PackedShape(weight: weight.shape, scales: scales.shape, columns: columns),
      Self.widths.contains(shape.bits), Self.groups.contains(shape.group)
    else {
      throw fail(.quantisedShape(weight: weight.shape, scales: scales.shape, columns: columns))
    }
    name = weight.name
    rows = weight.rows
    self.columns = columns
    bits = shape.bits
    zero = Zero(scales: scales.bytes, biases: biases.bytes, type: type, bits: bits)
    format = .grouped(bits: bits, group: shape.group, scale: type, zero: zero)
    codes = weight.bytes
    self.scales = scales.bytes
    self.biases = biases.bytes
  }

  func unpack(
    row: Int, codes target: inout MutableSpan<UInt8>, scales scaleTarget: inout MutableSpan<UInt8>,
    offsets offsetTarget: inout MutableSpan<UInt8>
  ) {
    precondition(row >= 0 && row < rows)
    unpackCodes(row: row, to: &target)
    copyScales(row: row, &scaleTarget, &offsetTarget)
  }

  var packing: CodePacking? { [1, 2, 4, 8].contains(bits) ? .ascending : nil }

  func copy(
    row: Int, codes target: inout MutableSpan<UInt8>, scales scaleTarget: inout MutableSpan<UInt8>,
    offsets offsetTarget: inout MutableSpan<UInt8>
  ) {
    precondition(row >= 0 && row < rows)
    let size = columns / 8 * bits
    codes.copy(from: row * size, count: size, to: &target)
    copyScales(row: row, &scaleTarget, &offsetTarget)
  }

  private func copyScales(
    row: Int, _ scaleTarget: inout MutableSpan<UInt8>, _ offsetTarget: inout MutableSpan<UInt8>
  ) {
    let size = scales.count / rows
    switch zero {
    case .symmetric:
      scales.copy(from: row * size, count: size, to: &scaleTarget)
    case .affine:
      scales.copy(from: row * size, count: size, to: &scaleTarget)
      biases.copy(from: row * size, count: size, to: &offsetTarget)
    case .signs:
      // w = s·u − s/2 is (s/2)·(2u − 1), and s/2 is stored as −b.
      biases.copy(from: row * size, count: size, to: &scaleTarget)
      flipSigns(&scaleTarget, count: size)
    }
  }

  /// Flips the sign bits of `count` bytes of scales.
  private func flipSigns(_ values: inout MutableSpan<UInt8>, count: Int) {
    guard case .grouped(_, _, let type, _) = format else { return }
    for index in stride(from: type.byteCount - 1, to: count, by: type.byteCount) {
      values[index] ^= 0x80
    }
  }

  private func unpackCodes(row: Int, to target: inout MutableSpan<UInt8>) {
    // A constant width in each call lets the compiler make a loop for each.
    switch bits {
    case 1: spreadCodes(row: row, bits: 1, to: &target)
    case 2: spreadCodes(row: row, bits: 2, to: &target)
    case 3: spreadCodes(row: row, bits: 3, to: &target)
    case 4: spreadCodes(row: row, bits: 4, to: &target)
    case 5: spreadCodes(row: row, bits: 5, to: &target)
    case 6: spreadCodes(row: row, bits: 6, to: &target)
    default: codes.copy(from: row * columns, count: columns, to: &target)
    }
  }

  @inline(__always)
  private func spreadCodes(row: Int, bits: Int, to target: inout MutableSpan<UInt8>) {
    let start = row * (columns / 8 * bits)
    for index in 0..<columns / 8 {
      target.store(
        spread(codes.word(at: start + index * bits), bits: UInt64(bits)), at: 8 * index)
    }
  }

  func release(rows range: Range<Int>) {
    for bytes in [codes, scales, biases] {
      let size = bytes.count / rows
      bytes.release(range.lowerBound * size..<range.upperBound * size)
    }
  }
}
