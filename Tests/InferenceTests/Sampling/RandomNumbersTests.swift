import Foundation
import Inference
import Testing

@Suite struct RandomNumbersTests {
  @Test func areFixed() {
    // A change of these values breaks every seed that users have noted down.
    #expect(RandomNumbers(seed: 0).bits(at: 0) == 12_035_550_249_420_947_055)
    #expect(RandomNumbers(seed: 42).bits(at: 7) == 13_553_200_262_973_777_806)
  }

  @Test func unitsAreSpread() {
    let numbers = RandomNumbers(seed: 1)
    var bins = [Int](repeating: 0, count: 16)
    var sum = 0.0
    for n in 0..<4_000 {
      let unit = numbers.unit(at: n)
      #expect(unit >= 0 && unit < 1)
      bins[Int(unit * 16)] += 1
      sum += unit
    }
    #expect(abs(sum / 4_000 - 0.5) < 0.01)
    #expect(bins.allSatisfy { abs($0 - 250) < 80 })
  }

  @Test func neighbouringSeedsDiffer() {
    let firsts = Set((0..<1000).map { RandomNumbers(seed: UInt64($0)).bits(at: 0) })
    #expect(firsts.count == 1000)
    // Seeds apart by the generator's own increment do not share a stream.
    let shifted = RandomNumbers(seed: 0x9e37_79b9_7f4a_7c15)
    #expect(shifted.bits(at: 0) != RandomNumbers(seed: 0).bits(at: 1))
  }

  @Test func exponentialIsClose() {
    var x = 0.0
    while x > -700 {
      let expected = exp(x)
      #expect(abs(DeterministicMath.exponential(x) - expected) <= 1e-13 * expected)
      x -= 0.377
    }
    #expect(DeterministicMath.exponential(0) == 1)
    #expect(DeterministicMath.exponential(-709) == 0)
    #expect(DeterministicMath.exponential(-.infinity) == 0)
  }
}
