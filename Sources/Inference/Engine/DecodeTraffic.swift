/// Bytes between memory and the processor for each token that is decoded.
///
/// Divided by the memory's speed they bound decoding. Of weights, keys and values that bound is hard:
/// all of them are read once in each token and are larger than caches. A recurrent state of some
/// megabytes partly stays in the last cache from one token to the next, so its part is soft.
package struct DecodeTraffic: Sendable, Hashable {
  /// Of prepared weights, read.
  package var weights: Int
  /// Of keys and values, read.
  package var keysAndValues: Int
  /// Of the delta nets' memory, read and written.
  package var recurrentState: Int

  package init(weights: Int, keysAndValues: Int, recurrentState: Int) {
    self.weights = weights
    self.keysAndValues = keysAndValues
    self.recurrentState = recurrentState
  }

  package var total: Int { weights + keysAndValues + recurrentState }
}
