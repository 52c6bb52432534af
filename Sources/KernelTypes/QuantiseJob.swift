/// Quantisation of float activations to int8 (N1).
package struct QuantiseJob {
  /// (token, column), `inputStride` elements between tokens.
  package var input: UnsafePointer<Float>
  package var inputStride: Int
  package var output: QuantisedInput

  package init(input: UnsafePointer<Float>, inputStride: Int, output: QuantisedInput) {
    self.input = input
    self.inputStride = inputStride
    self.output = output
  }
}
