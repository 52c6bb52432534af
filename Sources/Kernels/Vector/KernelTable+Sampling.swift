extension KernelTable {
  /// Fills `weights` with e^((logit − maximum) / temperature), one for each of the finite `logits`, and
  /// returns their sum in ascending order of the index; `maximum` is the largest of them.
  package func samplingWeights(
    _ logits: Span<Float>, maximum: Float, temperature: Double,
    into weights: inout MutableSpan<Double>
  ) -> Double {
    precondition(weights.count >= logits.count, "\(weights.count) for \(logits.count) weights")
    return unsafe logits.withUnsafeBufferPointer { logits in
      unsafe weights.withUnsafeMutableBufferPointer { weights in
        guard let source = logits.baseAddress, let target = weights.baseAddress else { return 0 }
        return unsafe vector.samplingWeights(
          source, Double(maximum), temperature, target, logits.count)
      }
    }
  }

  /// The index of the largest of `logits`, the first if several are; there must be one.
  package func indexOfMaximum(_ logits: Span<Float>) -> Int {
    unsafe logits.withUnsafeBufferPointer { logits in
      unsafe logits.baseAddress.map { unsafe vector.indexOfMaximum($0, logits.count) } ?? 0
    }
  }

  /// Whether none of `logits` is NaN or infinite.
  package func areFinite(_ logits: Span<Float>) -> Bool {
    unsafe logits.withUnsafeBufferPointer { logits in
      unsafe logits.baseAddress.map { unsafe vector.areFinite($0, logits.count) } ?? true
    }
  }
}
