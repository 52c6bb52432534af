import Kernels

/// The part of a workspace that delta net layers use.
struct DeltaNetBuffers: Sendable {
  let projected: Slab<Float>  // (token × channels): before the convolution
  let mixed: Slab<Float>  // (token × channels): after it
  let gate: Slab<Float>  // (token × valueWidth)
  let values: Slab<Float>  // (token × valueWidth)
  let beta: Slab<Float>  // (token × valueHeads)
  let alpha: Slab<Float>  // (token × valueHeads)
  let activations: Activations

  init(_ shape: DeltaNetShape, capacity: Int) {
    projected = Slab(count: capacity * shape.channels)
    mixed = Slab(count: capacity * shape.channels)
    gate = Slab(count: capacity * shape.valueWidth)
    values = Slab(count: capacity * shape.valueWidth)
    beta = Slab(count: capacity * shape.valueHeads)
    alpha = Slab(count: capacity * shape.valueHeads)
    activations = Activations(capacity: capacity, columns: shape.valueWidth)
  }

  static func byteCount(_ shape: DeltaNetShape, capacity: Int, threads: Int) -> Int {
    capacity * (2 * shape.channels + 2 * shape.valueWidth + 2 * shape.valueHeads)
      * MemoryLayout<Float>.stride
      + Activations.byteCount(capacity: capacity, columns: shape.valueWidth, threads: threads)
  }
}
