extension Slab<UInt8> {
  /// Copies bytes to `start` and behind; threads may do so at once at places of their own.
  package func store(_ bytes: [UInt8], at start: Int) {
    precondition(
      start >= 0 && start <= count - bytes.count, "\(bytes.count) at \(start) of \(count)")
    unsafe bytes.withUnsafeBufferPointer { source in
      if let first = source.baseAddress {
        unsafe (base + start).update(from: first, count: source.count)
      }
    }
  }

  /// Calls `body` with the first `length` bytes.
  package func withPrefix<Result, Failure: Error>(
    _ length: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(length >= 0 && length <= count, "\(length) of \(count)")
    return try body(unsafe Span(_unsafeStart: base, count: length))
  }
}
