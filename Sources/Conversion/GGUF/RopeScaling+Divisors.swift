import Kernels
import Transformers

extension RopeScaling.Llama3 {
  /// The parameters that the divisors of a `rope_freqs` tensor were made from; nil if there are none.
  ///
  /// Low and high frequency factors are 1 and 4 in every model of the family. The largest divisor is
  /// the factor, and one on the ramp between tells the original context.
  init?(divisors: [Float], base: Double, dimensions: Int) {
    guard let factor = divisors.max().map({ Double($0) }), factor > 1 else { return nil }
    let pairs = divisors.indices.map { pair in
      (
        wavelength: 2 * Double.pi
          * ExactMath.power(base, 2 * Double(pair) / Double(dimensions)),
        divisor: Double(divisors[pair])
      )
    }
    guard
      let middle = pairs.first(where: { $0.divisor > 1.001 && $0.divisor < 0.999 * factor })
    else { return nil }
    let smooth = (1 / middle.divisor - 1 / factor) / (1 - 1 / factor)
    self.init(
      factor: factor, lowFrequencyFactor: 1, highFrequencyFactor: 4,
      originalContext: (middle.wavelength * (3 * smooth + 1)).rounded())
    let made = RopeConfiguration(base: base, dimensions: dimensions, scaling: .llama3(self))
      .frequencies()
    let stored = RopeConfiguration(
      base: base, dimensions: dimensions, scaling: .divisors(divisors)
    ).frequencies()
    guard zip(made, stored).allSatisfy({ abs($0 - $1) <= 1e-4 * abs($1) }) else { return nil }
  }
}
