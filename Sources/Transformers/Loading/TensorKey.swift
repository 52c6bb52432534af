/// A tensor of a model: its role and, for those of a block, the block's index, and for those of an
/// expert the expert's.
struct TensorKey: Hashable, Sendable {
  let role: TensorRole
  let layer: Int?
  let expert: Int?

  init(_ role: TensorRole, layer: Int? = nil, expert: Int? = nil) {
    self.role = role
    self.layer = layer
    self.expert = expert
  }
}
