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

  @Test func whatIsNotFiniteIsFound() throws {
    for compute in try computes() {
      for count in [1, 16, 33, 1_000] {
        for bad in [Float.nan, .infinity, -.infinity] {
          let row = FloatRows(Slab(count: count + 1), rows: 1, columns: count)
          row.slab[count] = .nan
          #expect(compute.areFinite(row))
          row[0, count - 1] = bad
          #expect(!compute.areFinite(row))
        }
      }
    }
  }
}
