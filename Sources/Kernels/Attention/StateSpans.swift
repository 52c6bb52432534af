extension KVBlock {
  /// Calls `body` with every element's bits, to save them.
  package func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe Span(_unsafeStart: UnsafePointer(keys(head: 0).bytes), count: byteCount))
  }

  /// Calls `body` with every element's bits, to restore them in a block that is `isQuantised` or
  /// not.
  package func restore<Failure: Error>(
    isQuantised: Bool, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var span = unsafe MutableSpan(_unsafeStart: keys(head: 0).bytes, count: byteCount)
    try body(&span)
    self.isQuantised = isQuantised
  }
}

extension DeltaNetState {
  /// Calls `body` with the bits of each part in turn, to save them.
  package func forEachSpan<Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    for slab in [rows, memory] {
      try body(
        unsafe Span(
          _unsafeStart: UnsafePointer(UnsafeMutableRawPointer(slab.base).bytes),
          count: slab.byteCount))
    }
  }

  /// Calls `body` with the bits of each part in turn, to restore them.
  package func restore<Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    for slab in [rows, memory] {
      var span = unsafe MutableSpan(
        _unsafeStart: UnsafeMutableRawPointer(slab.base).bytes, count: slab.byteCount)
      try body(&span)
    }
  }
}

extension UnsafeMutableRawPointer {
  /// Trivial elements as the bytes that they are.
  fileprivate var bytes: UnsafeMutablePointer<UInt8> {
    unsafe assumingMemoryBound(to: UInt8.self)
  }
}
