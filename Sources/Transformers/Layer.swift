import Kernels

/// One decoder block: a mixer of positions, then a feed-forward, each added to the residual.
struct Layer: Sendable {
  let mixerNorm: Slab<Float>
  let mixer: Mixer
  let feedForwardNorm: Slab<Float>
  let feedForward: FeedForward
  /// Norms of the sub-layers' outputs, where the family has them.
  let postNorms: PostNorms?
  let epsilon: Float

  enum Mixer: Sendable {
    case attention(AttentionBlock)
    case deltaNet(DeltaNetBlock)
  }

  struct PostNorms: Sendable {
    let mixer, feedForward: Slab<Float>
  }

  /// Bytes of weights that a token's passage reads.
  var bytesReadPerToken: Int {
    let ends =
      switch mixer {
      case .attention(let block): block.inputs + block.outputs
      case .deltaNet(let block): block.inputs + block.outputs
      }
    return ends.reduce(feedForward.bytesReadPerToken) { $0 + $1.byteCount }
  }

  /// Takes the hidden rows (token × hidden) through the block.
  func apply(_ hidden: FloatRows, state: ModelState.LayerState, at position: Int, pass: Pass) {
    let normed = FloatRows(pass.workspace.normed, rows: hidden.rows, columns: hidden.columns)
    let branch = FloatRows(pass.workspace.branch, rows: hidden.rows, columns: hidden.columns)
    let result = postNorms == nil ? hidden : branch
    let mode: MultiplyMode = postNorms == nil ? .add : .store

    pass.compute.rmsNorm(hidden, weight: mixerNorm, epsilon: epsilon, into: normed)
    switch (mixer, state) {
    case (.attention(let block), .attention(let blocks)):
      block.apply(normed, blocks: blocks, at: position, into: result, mode: mode, pass: pass)
    case (.deltaNet(let block), .deltaNet(let memory)):
      block.apply(normed, memory: memory, into: result, mode: mode, pass: pass)
    default:
      preconditionFailure("a layer and its state are of different kinds")
    }
    if let postNorms {
      pass.compute.rmsNorm(branch, weight: postNorms.mixer, epsilon: epsilon, into: branch)
      pass.compute.add(branch, to: hidden)
    }

    pass.compute.rmsNorm(hidden, weight: feedForwardNorm, epsilon: epsilon, into: normed)
    feedForward.apply(normed, into: result, mode: mode, pass: pass)
    if let postNorms {
      pass.compute.rmsNorm(branch, weight: postNorms.feedForward, epsilon: epsilon, into: branch)
      pass.compute.add(branch, to: hidden)
    }
  }
}
