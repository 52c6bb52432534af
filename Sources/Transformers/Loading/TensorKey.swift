/// A tensor of a model: its role and, for those of a block, the block's index.
struct TensorKey: Hashable, Sendable {
  let role: TensorRole
  let layer: Int?

  init(_ role: TensorRole, layer: Int? = nil) {
    self.role = role
    self.layer = layer
  }
}
