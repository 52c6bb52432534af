import Foundation
import Kernels
import TestSupport
import Testing

import Weights

/// How fast headers are read and rows unpacked, printed for the default model in slow tests.
@Suite(.serialized) struct UnpackSpeedTests {
  static let model = TestModels.slow ? TestModels.smolLM2 : nil

  @Test(.enabled(if: model != nil)) func printsSpeeds() throws {
    let path = try #require(Self.model)
    var opened: GGUFFile?
    print("header: \(try seconds { opened = try GGUFFile(path: path) }) s")
    let file = try #require(opened)
    let reading = try seconds {
      for key in file.metadata.keys {
        guard case .array(let array)? = file.metadata[key], array.elementType == .string else {
          continue
        }
        print("\(key): \(try array.strings().count) texts")
      }
    }
    print("texts: \(reading) s")
    for pass in 1...2 {
      var total = 0
      let time = try seconds {
        for name in file.tensorNames { total += try unpack(file.matrix(name)) }
      }
      print("pass \(pass): \(total) weights in \(time) s, \(Double(total) / time / 1e9) G/s")
    }
  }

  /// Processor time, so that other work on the machine does not count.
  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }

  private func unpack(_ source: any RowSource) throws -> Int {
    var row = UnpackedRow(format: source.format, columns: source.columns)
    for index in 0..<source.rows { try row.unpack(source, row: index) }
    return source.rows * source.columns
  }
}
