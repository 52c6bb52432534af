import Foundation
import Kernels
import TestSupport
import Testing
import Weights

/// Rows and columns in another order carry their scales along.
@Suite struct AdaptorTests {
  /// A matrix of rows × columns in which each weight differs, and its elements.
  private func matrix(type: UInt32, rows: Int, columns: Int) throws -> (any RowSource, [[Float]]) {
    let encoding = try #require(GGUFEncoding.candidates(id: type).first)
    var generator = SeededGenerator(seed: 7)
    var data: [UInt8] = []
    for _ in 0..<rows * columns / encoding.block {
      // Small positive float16 scales wherever the format has them.
      var block = (0..<encoding.blockByteCount).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      for at in stride(from: 1, to: block.count, by: 2) { block[at] &= 0x3B }
      data += block
    }
    var builder = GGUFBuilder()
    builder.tensors = [.init("w", [UInt64(columns), UInt64(rows)], type: type, data: data)]
    let source = try GGUFFile(MappedFile(copying: builder.bytes())).matrix("w")
    return (source, try elements(source))
  }

  private func elements(_ source: any RowSource) throws -> [[Float]] {
    let flat = try source.elements()
    return (0..<source.rows).map { row in
      Array(flat[row * source.columns..<(row + 1) * source.columns])
    }
  }

  /// F16, Q4_0, Q4_1, Q4_K and Q6_K: every way of keeping scales.
  static let types: [UInt32] = [1, 2, 3, 12, 14]

  @Test(arguments: types) func permutedRows(type: UInt32) throws {
    let (source, rows) = try matrix(type: type, rows: 5, columns: 256)
    let map: [Int32] = [3, 0, 4, 4, 1]
    let permuted = PermutedRows(source, map: map)
    #expect(permuted.rows == 5 && permuted.format == source.format)
    #expect(try elements(permuted) == map.map { rows[Int($0)] })
    permuted.release(rows: 0..<5)
    #expect(try elements(permuted) == map.map { rows[Int($0)] })
  }

  @Test(arguments: types) func slices(type: UInt32) throws {
    let (source, rows) = try matrix(type: type, rows: 6, columns: 256)
    let slice = RowSlice(source, rows: 2..<5, name: "k")
    #expect(slice.name == "k" && slice.rows == 3)
    #expect(slice.sourceByteCount == source.sourceByteCount / 2)
    #expect(try elements(slice) == Array(rows[2..<5]))
    slice.release(rows: 1..<2)
  }

  @Test(arguments: types) func concatenation(type: UInt32) throws {
    let (source, rows) = try matrix(type: type, rows: 6, columns: 256)
    let parts = [RowSlice(source, rows: 4..<6), RowSlice(source, rows: 0..<1)]
    let joined = try #require(ConcatenatedRows(parts, name: "kq"))
    #expect(joined.rows == 3 && joined.name == "kq")
    #expect(try elements(joined) == [rows[4], rows[5], rows[0]])
    joined.release(rows: 1..<3)
  }

  @Test func differentFormatsAreNotJoined() throws {
    let (first, _) = try matrix(type: 2, rows: 1, columns: 256)
    let (second, _) = try matrix(type: 3, rows: 1, columns: 256)
    let (narrow, _) = try matrix(type: 2, rows: 1, columns: 128)
    #expect(ConcatenatedRows([first, second], name: "x") == nil)
    #expect(ConcatenatedRows([first, narrow], name: "x") == nil)
    #expect(ConcatenatedRows([], name: "x") == nil)
  }

  @Test(arguments: types) func permutedColumns(type: UInt32) throws {
    let (source, rows) = try matrix(type: type, rows: 3, columns: 768)
    let permuted = try #require(PermutedColumns(source, block: 256, map: [2, 0, 1]))
    #expect(
      try elements(permuted)
        == rows.map { Array($0[512..<768]) + Array($0[0..<512]) })
  }

  @Test func columnsMoveInWholeGroups() throws {
    let (source, _) = try matrix(type: 2, rows: 1, columns: 64)
    #expect(PermutedColumns(source, block: 16, map: [1, 0, 2, 3]) == nil)
    #expect(PermutedColumns(source, block: 32, map: [1, 0]) != nil)
  }
}
