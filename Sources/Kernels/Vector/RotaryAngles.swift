import KernelsPortable

/// The cosines and sines of the positions of one chunk.
///
/// Shared between threads that only read it between two calls of `prepare`.
@safe package final class RotaryAngles: @unchecked Sendable {
  /// Radians per position of each pair.
  package let frequencies: [Float]
  /// What cosines and sines are multiplied by (for YaRN; else 1).
  package let amplitude: Float
  package let capacity: Int

  private let cosines: Slab<Float>
  private let sines: Slab<Float>
  package private(set) var positions = 0..<0

  /// Leaves room for chunks of up to `capacity` tokens.
  package init(frequencies: [Float], amplitude: Float = 1, capacity: Int) {
    self.frequencies = frequencies
    self.amplitude = amplitude
    self.capacity = capacity
    cosines = Slab(count: capacity * frequencies.count)
    sines = Slab(count: capacity * frequencies.count)
  }

  /// base^(−2i / dimensions) for every pair, computed in float64.
  package static func frequencies(base: Double, dimensions: Int) -> [Float] {
    (0..<dimensions / 2).map { pair in
      Float(KernelsPortable.power(base, -2 * Double(pair) / Double(dimensions)))
    }
  }

  /// Leading elements of a head that are rotated.
  package var dimensions: Int { 2 * frequencies.count }

  package var byteCount: Int { cosines.byteCount + sines.byteCount }

  /// Fills the tables for a chunk; does nothing if they hold just that.
  package func prepare(positions: Range<Int>) {
    precondition(positions.count <= capacity, "\(positions.count) tokens of \(capacity)")
    guard positions != self.positions else { return }
    self.positions = positions
    let pairs = frequencies.count
    for (row, position) in positions.enumerated() {
      for pair in 0..<pairs {
        // The product is rounded to float32 as in the models' own code; what follows is not.
        let angle = Float(position) * frequencies[pair]
        let (cosine, sine) = KernelsPortable.cosineAndSine(Double(angle))
        cosines[row * pairs + pair] = Float(cosine) * amplitude
        sines[row * pairs + pair] = Float(sine) * amplitude
      }
    }
  }

  func cosines(row: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(cosines.base + row * frequencies.count)
  }

  func sines(row: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(sines.base + row * frequencies.count)
  }
}
