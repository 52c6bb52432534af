/// How far the loading of a model has come.
package struct LoadProgress: Sendable, Hashable {
  /// The phases of a load, in order; it has one of `preparing` and `mapping`.
  package enum Phase: String, Sendable, Hashable, Codable {
    /// Headers, tokenizer and template are being read.
    case reading
    /// Weights are being laid out for the kernels.
    case preparing
    /// Weights that were laid out by an earlier load are being read and checked.
    case mapping
    /// The model can generate.
    case ready
  }

  package var phase: Phase
  /// Bytes of the phase done.
  package var done: Int
  /// Bytes of the phase in all; 0 when unknown.
  package var total: Int

  package init(_ phase: Phase, done: Int = 0, total: Int = 0) {
    self.phase = phase
    self.done = done
    self.total = total
  }
}
