/// What a gated delta net layer remembers: it cannot be rewound, only copied.
///
/// Owned by one conversation at a time; the pool's threads write to parts of it that do not meet.
@safe package final class DeltaNetState: @unchecked Sendable {
  package let shape: DeltaNetShape
  /// The last three rows before the convolution, (3, channels), the oldest first.
  let rows: Slab<Float>
  /// (valueHead, slice, keyDimension, value row of the slice), float32.
  ///
  /// A slice lies together: rows as far apart as a head is wide would share a few sets of the cache.
  let memory: Slab<Float>

  /// The state before the first token.
  package init(_ shape: DeltaNetShape) {
    self.shape = shape
    rows = Slab(count: (DeltaNetShape.taps - 1) * shape.channels)
    memory = Slab(count: Self.memoryCount(shape))
  }

  private static func memoryCount(_ shape: DeltaNetShape) -> Int {
    shape.valueHeads * shape.keyDimension * shape.paddedValueDimension
  }

  /// Bytes that a state takes.
  package static func byteCount(_ shape: DeltaNetShape) -> Int {
    ((DeltaNetShape.taps - 1) * shape.channels + memoryCount(shape)) * MemoryLayout<Float>.size
  }

  package var byteCount: Int { rows.byteCount + memory.byteCount }

  /// Takes over what another state of the same shape remembers.
  package func copy(from other: DeltaNetState) {
    precondition(shape == other.shape)
    unsafe rows.base.update(from: other.rows.base, count: rows.count)
    unsafe memory.base.update(from: other.memory.base, count: memory.count)
  }

  package func copy() -> DeltaNetState {
    let copy = DeltaNetState(shape)
    copy.copy(from: self)
    return copy
  }

  /// Goes back to before the first token.
  package func reset() {
    unsafe rows.base.update(repeating: 0, count: rows.count)
    unsafe memory.base.update(repeating: 0, count: memory.count)
  }

  /// The bits of everything, in two parts, to save or restore a state.
  package func withMutableBytes<Result>(
    _ body: (_ rows: UnsafeMutableRawBufferPointer, _ memory: UnsafeMutableRawBufferPointer)
      throws -> Result
  ) rethrows -> Result {
    try unsafe body(
      UnsafeMutableRawBufferPointer(start: rows.base, count: rows.byteCount),
      UnsafeMutableRawBufferPointer(start: memory.base, count: memory.byteCount))
  }
}
