import Kernels
import Testing

@Suite struct SearchTests {
  @Test func theFirstOfTheLargestWins() throws {
    for compute in try computes() {
      for count in [1, 2, 15, 16, 17, 70, 1_023, 1_024, 1_025, 5_000] {
        var noise = Noise(UInt64(count))
        var x = noise.floats(count, -8 ... -1)
        let first = Int(noise.bits() % UInt64(count))
        x[first] = -0.5
        let second = Int(noise.bits() % UInt64(count))
        x[second] = -0.5
        let row = FloatRows(Slab([.infinity] + x + [.infinity]), offset: 1, rows: 1, columns: count)
        #expect(compute.indexOfMaximum(row) == min(first, second))
      }
    }
  }

  @Test func notANumberIsPassedOver() throws {
    for compute in try computes() {
      func index(_ x: [Float]) -> Int {
        compute.indexOfMaximum(FloatRows(Slab(x), rows: 1, columns: x.count))
      }
      #expect(index([.nan, -3, 2, .nan]) == 2)
      #expect(index([.nan, .nan]) == 0)
      #expect(index([-.infinity, -.infinity]) == 0)
      #expect(index([1, .infinity]) == 1)
      #expect(index([-0.0, 0]) == 0)
    }
  }

  private static let tables = supportedSets.compactMap { try? KernelTable($0) }

  @Test(arguments: [1, 15, 16, 63, 64, 65, 128, 1_000])
  func eachBlockHasItsLargest(count: Int) {
    var noise = Noise(UInt64(count))
    let x = noise.floats(count, -8 ... -1)
    let blocks = stride(from: 0, to: count, by: KernelTable.blockCount)
    let expected = blocks.map { x[$0..<min($0 + KernelTable.blockCount, count)].max() }
    for kernels in Self.tables {
      var maxima = [Float](repeating: 0, count: expected.count + 1)
      var span = maxima.mutableSpan
      // What follows the elements does not count.
      let row = x + [.nan]
      let isFinite = kernels.blockMaxima(row.span.extracting(first: count), into: &span)
      #expect(isFinite)
      #expect(maxima == expected.compactMap(\.self) + [0])
    }
  }

  @Test func whatIsNotFiniteIsFound() {
    for kernels in Self.tables {
      for count in [1, 16, 33, 64, 1_000] {
        for bad in [Float.nan, .infinity, -.infinity] {
          var x = [Float](repeating: 1, count: count)
          x[count - 1] = bad
          var maxima = [Float](repeating: 0, count: 16)
          var span = maxima.mutableSpan
          let isFinite = kernels.blockMaxima(x.span, into: &span)
          #expect(!isFinite)
        }
      }
    }
  }
}
