import Foundation
import Kernels
import TestSupport
import Testing
import Weights

/// Codes that are taken from a file as it packs them are those that it is unpacked to.
@Suite struct PackingTests {
  /// A source whose rows can only be unpacked.
  private struct Unpacked: RowSource {
    let source: any RowSource

    var name: String { source.name }
    var rows: Int { source.rows }
    var columns: Int { source.columns }
    var format: MatrixFormat { source.format }
    var sourceByteCount: Int { source.sourceByteCount }

    func unpack(
      row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
      offsets: inout MutableSpan<UInt8>
    ) throws {
      try source.unpack(row: row, codes: &codes, scales: &scales, offsets: &offsets)
    }
  }

  private struct NoSink: TileSink {
    func write(_ block: Span<UInt8>, at offset: Int) {}
  }

  /// The checksums of the tiles.
  private func sums(_ source: any RowSource) throws -> [UInt64] {
    let stream = try TileStream(compute: Compute(threads: 2), sink: NoSink())
    try stream.append(source)
    return try stream.finish()
  }

  /// Bytes of which each second could be the high one of a small float16.
  private func bytes(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(count))
    return (0..<count).map {
      UInt8.random(in: 0...255, using: &generator) & ($0 % 2 == 1 ? 0xBB : 0xFF)
    }
  }

  private func gguf(_ type: UInt32, rows: Int, blocks: Int) throws -> any RowSource {
    let encoding = try #require(
      GGUFEncoding.candidates(id: type).last { type != 42 || $0.block == 64 })
    var builder = GGUFBuilder()
    builder.tensors = [
      .init(
        "w", [UInt64(blocks * encoding.block), UInt64(rows)], type: type,
        data: bytes(rows * blocks * encoding.blockByteCount))
    ]
    return try GGUFFile(MappedFile(copying: builder.bytes())).matrix("w")
  }

  private func mlx(
    bits: Int, group: Int, rows: Int, columns: Int, zero: Float?
  ) throws -> any RowSource {
    let groups = rows * columns / group
    let scales = (0..<groups).map { Float16($0 % 7) - 3 }
    let biases =
      zero.map { zero in scales.map { -Float16(zero) * $0 } }
      ?? scales.indices.map { Float16($0 % 5) }
    func data(_ values: [Float16]) -> [UInt8] { values.flatMap { littleEndian($0.bitPattern) } }
    var builder = SafetensorsBuilder()
    builder.tensors = [
      .init(
        "m.weight", "U32", [rows, columns * bits / 32], data: bytes(rows * columns * bits / 8)),
      .init("m.scales", "F16", [rows, columns / group], data: data(scales)),
      .init("m.biases", "F16", [rows, columns / group], data: data(biases)),
    ]
    return try SafetensorsCheckpoint(
      path: "memory", files: [MappedFile(copying: builder.bytes())], config: nil
    ).matrix("m.weight", columns: columns)
  }

  /// Q4_0, Q4_1, Q1_0 of 128 and of 32, Q2_0 of 64 and of 128.
  @Test(arguments: [2, 3, 41, 40, 42, 142] as [UInt32], [1, 2, 3, 5, 12])
  func ggufTilesAreThoseOfUnpackedRows(type: UInt32, blocks: Int) throws {
    for rows in [1, 16, 21] {
      let source = try gguf(type, rows: rows, blocks: blocks * (type == 40 ? 4 : 1))
      #expect(source.packing != nil)
      #expect(try sums(source) == sums(Unpacked(source: source)), "\(rows) rows")
    }
  }

  @Test(arguments: [1, 2, 4, 8], [32, 64, 128])
  func mlxTilesAreThoseOfUnpackedRows(bits: Int, group: Int) throws {
    for columns in [group, 2 * group, 3 * group, 9 * group] {
      for zero in [nil, bits == 1 ? 0.5 : 1] as [Float?] {
        let source = try mlx(bits: bits, group: group, rows: 19, columns: columns, zero: zero)
        #expect(source.packing == .ascending)
        #expect(try sums(source) == sums(Unpacked(source: source)), "\(columns) columns")
      }
    }
  }

  @Test(arguments: [3, 5, 6]) func widthsOfTwoPlanesAreUnpacked(bits: Int) throws {
    #expect(try mlx(bits: bits, group: 64, rows: 2, columns: 128, zero: nil).packing == nil)
  }

  /// Q5_0, Q8_0 and Q4_K.
  @Test(arguments: [6, 8, 12] as [UInt32]) func formsOfTheirOwnAreUnpacked(type: UInt32) throws {
    #expect(try gguf(type, rows: 1, blocks: 2).packing == nil)
  }

  @Test(arguments: [2, 41] as [UInt32]) func otherOrdersOfRowsStayPacked(type: UInt32) throws {
    let source = try gguf(type, rows: 40, blocks: 3)
    let map = (0..<40).map { Int32($0 * 7 % 40) }
    let orders: [any RowSource] = [
      RowSlice(source, rows: 3..<38), PermutedRows(source, map: map),
      try #require(
        ConcatenatedRows(
          [RowSlice(source, rows: 30..<40), RowSlice(source, rows: 0..<9)], name: "joined")),
    ]
    for order in orders {
      #expect(order.packing == source.packing)
      #expect(try sums(order) == sums(Unpacked(source: order)))
    }
  }

  /// Parts of one format that are packed differently, or not at all, have bytes in common only.
  @Test func partsThatArePackedDifferentlyAreUnpacked() throws {
    let source = try gguf(41, rows: 5, blocks: 2)
    let joined = try #require(
      ConcatenatedRows([source, Unpacked(source: source)], name: "joined"))
    #expect(joined.packing == nil)
    #expect(try joined.elements() == source.elements() + source.elements())
  }

  @Test func otherOrdersOfColumnsAreUnpacked() throws {
    let source = try gguf(41, rows: 5, blocks: 2)
    #expect(try #require(PermutedColumns(source, block: 128, map: [1, 0])).packing == nil)
  }
}
