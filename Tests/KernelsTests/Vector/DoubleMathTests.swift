import Foundation
import Kernels
import KernelsPortable
import Testing

@Suite struct DoubleMathTests {
  private func units(_ x: Double, _ truth: Double) -> Double { abs(x - truth) / truth.ulp }

  @Test func exponentialsAndLogarithms() {
    var noise = Noise(4)
    for _ in 0..<20_000 {
      let x = Double(noise.float(-700...700))
      #expect(units(KernelsPortable.exponential(x), Foundation.exp(x)) <= 2)
      let y = Foundation.exp(x / 2)
      #expect(abs(KernelsPortable.logarithm(y) - Foundation.log(y)) <= 4e-16 * max(1, abs(x)))
    }
    #expect(KernelsPortable.exponential(-.infinity) == 0)
    #expect(KernelsPortable.exponential(.infinity) == .infinity)
    #expect(KernelsPortable.exponential(.nan).isNaN)
    #expect(KernelsPortable.exponential(0) == 1)
    #expect(KernelsPortable.logarithm(1) == 0)
  }

  @Test func softplusKeepsItsSmallEnd() {
    for x in [-700.0, -100, -40, -20, -12, -11, -1, 0, 1, 20, 35.9, 36, 100, 1e30] {
      let truth = x > 40 ? x : Foundation.log1p(Foundation.exp(x))
      #expect(abs(KernelsPortable.softplus(x) - truth) <= 1e-10 * truth, "\(x)")
    }
    #expect(KernelsPortable.softplus(.nan).isNaN)
  }

  @Test func anglesUpToTheLongestContexts() {
    var noise = Noise(5)
    for magnitude: Float in [1, 100, 10_000, 262_144, 1_048_576] {
      for _ in 0..<5_000 {
        let angle = Double(noise.float(0...magnitude))
        let (cosine, sine) = KernelsPortable.cosineAndSine(angle)
        #expect(abs(cosine - Foundation.cos(angle)) < 1e-15)
        #expect(abs(sine - Foundation.sin(angle)) < 1e-15)
      }
    }
    #expect(KernelsPortable.cosineAndSine(0) == (1, 0))
    #expect(KernelsPortable.cosineAndSine(.nan).cosine.isNaN)
  }

  @Test func frequenciesAreTheSystemsRoundedToFloat32() {
    for (base, dimensions) in [(10_000.0, 64), (1e6, 128), (1e7, 64), (5e5, 128)] {
      let truth = (0..<dimensions / 2).map {
        Float(Foundation.pow(base, -2 * Double($0) / Double(dimensions)))
      }
      #expect(RotaryAngles.frequencies(base: base, dimensions: dimensions) == truth)
    }
  }
}
