extension KernelTable {
  /// Fills `weights` from `start` on with e^((logit − maximum) / temperature), one for each of the finite
  /// `logits`, and returns their sum in ascending order of the index; `maximum` is at least the largest of
  /// them.
  package func samplingWeights(
    _ logits: Span<Float>, maximum: Float, temperature: Double,
    into weights: inout MutableSpan<Double>, at start: Int = 0
  ) -> Double {
    precondition(
      start >= 0 && weights.count - start >= logits.count,
      "\(weights.count) weights for \(logits.count) at \(start)")
    return unsafe logits.withUnsafeBufferPointer { logits in
      unsafe weights.withUnsafeMutableBufferPointer { weights in
        guard let source = logits.baseAddress, let target = weights.baseAddress else { return 0 }
        return unsafe vector.samplingWeights(
          source, Double(maximum), temperature, target + start, logits.count)
      }
    }
  }

  /// The sum that `samplingWeights` would return, within a relative error of
  /// `estimatedTotalWeightError`; nil where it cannot be told so well.
  package func estimatedTotalWeight(
    _ logits: Span<Float>, maximum: Float, temperature: Double
  ) -> Double? {
    let scale = 0x1.71547652b82fep0 / temperature
    guard scale.isFinite, logits.count <= 1 << 23 else { return nil }
    return unsafe logits.withUnsafeBufferPointer { logits in
      unsafe logits.baseAddress.map {
        unsafe vector.estimatedTotalWeight($0, Double(maximum), scale, logits.count)
      }
    }
  }

  /// The polynomial of the estimate leaves out 1.7·10⁻⁷ at most; the rounding of as many additions as
  /// there may be logits comes to 10⁻⁹ in the exact sum, and all else to less than 10⁻¹².
  package static let estimatedTotalWeightError = 2e-7

  /// Logits of which `blockMaxima` gives one maximum.
  package static let blockCount = 64

  /// Fills `maxima` with the largest of each `blockCount` of `logits`, the last of which may be fewer;
  /// false if one of `logits` is NaN or infinite, and then the maxima mean nothing.
  package func blockMaxima(
    _ logits: Span<Float>, into maxima: inout MutableSpan<Float>
  ) -> Bool {
    precondition(
      maxima.count * Self.blockCount >= logits.count,
      "\(maxima.count) maxima for \(logits.count) logits")
    return unsafe logits.withUnsafeBufferPointer { logits in
      unsafe maxima.withUnsafeMutableBufferPointer { maxima in
        guard let source = logits.baseAddress, let target = maxima.baseAddress else { return true }
        return unsafe vector.blockMaxima(source, target, logits.count)
      }
    }
  }

  /// The index of the largest of `logits`, the first if several are; there must be one.
  package func indexOfMaximum(_ logits: Span<Float>) -> Int {
    unsafe logits.withUnsafeBufferPointer { logits in
      unsafe logits.baseAddress.map { unsafe vector.indexOfMaximum($0, logits.count) } ?? 0
    }
  }
}
