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
}
