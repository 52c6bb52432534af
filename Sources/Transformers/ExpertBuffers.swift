import Kernels

/// The part of a workspace that mixtures of experts use.
struct ExpertBuffers: Sendable {
  let router: Slab<Float>  // (token × expert)
  let gathered: Slab<Float>  // (token × hidden): the input rows of one expert's tokens
  let contribution: Slab<Float>  // (token × hidden): what one expert makes of them
  let sum: Slab<Float>  // (token × hidden)
  let sharedGate: Slab<Float>  // (token × 1)
  let choices: ExpertChoices

  init(_ shape: ExpertShape, hidden: Int, capacity: Int) {
    router = Slab(count: capacity * shape.count)
    gathered = Slab(count: capacity * hidden)
    contribution = Slab(count: capacity * hidden)
    sum = Slab(count: capacity * hidden)
    sharedGate = Slab(count: capacity)
    choices = ExpertChoices(shape, capacity: capacity)
  }

  static func byteCount(_ shape: ExpertShape, hidden: Int, capacity: Int) -> Int {
    capacity * (shape.count + 3 * hidden + 1) * MemoryLayout<Float>.stride
      + ExpertChoices.byteCount(shape, capacity: capacity)
  }
}
