import Kernels
import Testing

@Suite struct Float16Tests {
  @Test(arguments: supportedSets)
  func roundsToTheNearestEven(set: InstructionSet) {
    var x: [Float] = [0, -0.0, .infinity, -.infinity, 65_504, 65_519.996, 65_520, -65_536, 1e30]
    // Every float16, the numbers half way to the next, and their neighbours.
    for bits in UInt16(0)..<0x7c00 {
      let low = Float(Float16(bitPattern: bits))
      let high = Float(Float16(bitPattern: bits + 1))
      let middle = high.isFinite ? (low + high) / 2 : 65_520
      x += [low, -low, middle, -middle, middle.nextUp, middle.nextDown]
    }
    var noise = Noise(3)
    for _ in 0..<100_000 {
      x.append(Float(bitPattern: UInt32(truncatingIfNeeded: noise.bits())))
    }
    x = x.filter { !$0.isNaN }
    let wrong = zip(x, set.float16Bits(x)).filter { Float16($0).bitPattern != $1 }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  @Test(arguments: supportedSets, [1, 3, 64])
  func storesAnyCountAndStride(set: InstructionSet, stride: Int) {
    for count in 0..<70 {
      var noise = Noise(UInt64(count))
      let x = noise.floats(count)
      #expect(set.float16Bits(x, stride: stride) == x.map { Float16($0).bitPattern })
    }
  }

  @Test(arguments: supportedSets)
  func nanStaysNaN(set: InstructionSet) {
    let x = [Float.nan, -.nan, Float(bitPattern: 0x7f80_0001)]
    let halves = set.float16Bits(x)
    #expect(halves.allSatisfy { Float16(bitPattern: $0).isNaN })
  }
}
