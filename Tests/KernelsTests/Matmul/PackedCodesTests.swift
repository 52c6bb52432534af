import Kernels
import Testing

/// Tiles made of codes as a file packs them are those made of a byte for each code.
@Suite struct PackedCodesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let bits: Int
    let group: Int
    let zero: Zero
    let packing: CodePacking

    var testDescription: String { "\(bits) bits, groups of \(group), \(zero), \(packing)" }
  }

  static let cases: [Case] = [16, 32, 64, 128].flatMap { group in
    [1, 2, 4, 8].flatMap { bits in
      [Zero.symmetric(1), .affine].map {
        Case(bits: bits, group: group, zero: $0, packing: .ascending)
      }
    } + [
      Case(bits: 1, group: group, zero: .signs, packing: .ascending),
      Case(bits: 4, group: group, zero: .symmetric(8), packing: .halves),
      Case(bits: 4, group: group, zero: .affine, packing: .halves),
    ]
  }

  private struct NoSink: TileSink {
    func write(_ block: Span<UInt8>, at offset: Int) {}
  }

  private func sums(_ source: any RowSource, _ compute: Compute) throws -> [UInt64] {
    let stream = try TileStream(compute: compute, sink: NoSink())
    try stream.append(source)
    return try stream.finish()
  }

  /// With rows that fill tiles and rows that do not, and groups that fill chunks and blocks and that
  /// do not.
  @Test(arguments: cases) func tilesAreTheSame(_ item: Case) throws {
    let compute = try Compute(threads: 2)
    let format = MatrixFormat.grouped(
      bits: item.bits, group: item.group, scale: .float16, zero: item.zero)
    let unit = max(item.group, 32)
    for rows in [1, 15, 16, 17, 48, 333] {
      for columns in [unit, 2 * unit, 3 * unit, 4 * unit, 7 * unit] {
        let source = MatmulSource(
          rows: rows, columns: columns, format: format, seed: UInt64(rows + columns))
        #expect(
          try sums(PackedSource(source: source, packing: item.packing), compute)
            == sums(source, compute), "\(rows) × \(columns)")
      }
    }
  }

  @Test func scalesThatAreNotFiniteAreRefused() throws {
    var source = MatmulSource(
      rows: 20, columns: 256, format: .grouped(bits: 1, group: 128, scale: .float16, zero: .signs))
    source.scales[17 * 4 + 3] = 0x7C
    let compute = try Compute(threads: 1)
    do {
      _ = try PreparedMatrix.prepare(
        PackedSource(source: source, packing: .ascending), compute: compute)
      Issue.record("it was taken")
    } catch MatrixError.notFinite(_, let row, let group) {
      #expect(row == 17 && group == 1)
    }
  }
}
