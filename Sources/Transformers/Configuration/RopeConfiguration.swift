import Kernels

/// Rotary position embedding: which dimensions turn, and how fast.
///
/// Su et al. 2021, arXiv:2104.09864. The pair i of a head turns by position · fᵢ, where
/// fᵢ = base^(−2i/dimensions) before scaling.
package struct RopeConfiguration: Sendable, Hashable {
  package var base: Double
  /// How many of a head's first dimensions turn; even.
  package var dimensions: Int
  package var scaling: RopeScaling

  /// A rotation of `dimensions` by `base`.
  package init(base: Double, dimensions: Int, scaling: RopeScaling) {
    self.base = base
    self.dimensions = dimensions
    self.scaling = scaling
  }

  /// Radians per position of each pair (dimensions / 2 of them).
  package func frequencies() -> [Float] {
    let pairs = dimensions / 2
    let plain = (0..<pairs).map { pair in
      ExactMath.power(base, -2 * Double(pair) / Double(dimensions))
    }
    switch scaling {
    case .none:
      return plain.map { Float($0) }
    case .linear(let factor):
      return plain.map { Float($0 / factor) }
    case .divisors(let divisors):
      return zip(plain, divisors).map { Float($0 / Double($1)) }
    case .llama3(let parameters):
      return plain.map { Float(parameters.scaled($0)) }
    case .yarn(let parameters):
      let ramp = parameters.ramp(base: base, dimensions: dimensions)
      return zip(plain, ramp).map { frequency, r in
        Float(frequency * (1 - r) + frequency / parameters.factor * r)
      }
    }
  }

  /// What cosines and sines are multiplied by.
  package var amplitude: Float {
    guard case .yarn(let parameters) = scaling else { return 1 }
    return Float(parameters.amplitude)
  }
}

/// How frequencies are stretched for contexts longer than the first training's.
package enum RopeScaling: Sendable, Hashable {
  case none
  /// Positions divided by a factor (Chen et al. 2023, arXiv:2306.15595).
  case linear(factor: Double)
  /// Each pair's frequency divided by a number of its own, as in GGUF's `rope_freqs`.
  case divisors([Float])
  case llama3(Llama3)
  case yarn(Yarn)

  /// Low frequencies divided, high ones kept, a ramp between (arXiv:2407.21783, §3.2 and its code).
  package struct Llama3: Sendable, Hashable {
    package var factor: Double
    package var lowFrequencyFactor: Double
    package var highFrequencyFactor: Double
    package var originalContext: Double

    package init(
      factor: Double, lowFrequencyFactor: Double, highFrequencyFactor: Double,
      originalContext: Double
    ) {
      self.factor = factor
      self.lowFrequencyFactor = lowFrequencyFactor
      self.highFrequencyFactor = highFrequencyFactor
      self.originalContext = originalContext
    }

    func scaled(_ frequency: Double) -> Double {
      let wavelength = 2 * Double.pi / frequency
      if wavelength < originalContext / highFrequencyFactor { return frequency }
      if wavelength > originalContext / lowFrequencyFactor { return frequency / factor }
      let smooth =
        (originalContext / wavelength - lowFrequencyFactor)
        / (highFrequencyFactor - lowFrequencyFactor)
      return (1 - smooth) * frequency / factor + smooth * frequency
    }
  }

  /// YaRN, arXiv:2309.00071.
  package struct Yarn: Sendable, Hashable {
    package var factor: Double
    package var originalContext: Double
    package var betaFast = 32.0
    package var betaSlow = 1.0
    /// Replaces 0.1 · ln(factor) + 1 where a configuration gives it.
    package var attentionFactor: Double?

    var amplitude: Double {
      if let attentionFactor { return attentionFactor }
      return factor <= 1 ? 1 : 0.1 * ExactMath.logarithm(factor) + 1
    }

    /// Zero for pairs that are left alone, one for those that are fully interpolated.
    func ramp(base: Double, dimensions: Int) -> [Double] {
      func correction(_ rotations: Double) -> Double {
        Double(dimensions) * ExactMath.logarithm(originalContext / (rotations * 2 * Double.pi))
          / (2 * ExactMath.logarithm(base))
      }
      let low = max(correction(betaFast).rounded(.down), 0)
      var high = min(correction(betaSlow).rounded(.up), Double(dimensions - 1))
      if low == high { high += 0.001 }
      return (0..<dimensions / 2).map { pair in
        min(max((Double(pair) - low) / (high - low), 0), 1)
      }
    }
  }
}
