import Kernels

/// Where the experts of a single token compute side by side: their matrices are small, and a region of the
/// pool for each would be waited for more than computed in.
final class OneTokenExperts: @unchecked Sendable {
  let gates: FloatRows  // (chosen expert × size)
  let ups: FloatRows  // (chosen expert × size)
  let contributions: FloatRows  // (chosen expert × hidden)
  /// What each chosen expert's last matrix is multiplied by.
  let activations: [Activations]
  /// Kept from token to token, so that filling them allocates nothing.
  private var first: [Compute.Product] = []
  private var last: [Compute.OwnProduct] = []

  init(_ shape: ExpertShape, hidden: Int) {
    func rows(_ columns: Int) -> FloatRows {
      FloatRows(Slab(count: shape.active * columns), rows: shape.active, columns: columns)
    }
    gates = rows(shape.size)
    ups = rows(shape.size)
    contributions = rows(hidden)
    activations = (0..<shape.active).map { _ in Activations(capacity: 1, columns: shape.size) }
    first.reserveCapacity(2 * shape.active)
    last.reserveCapacity(shape.active)
  }

  static func byteCount(_ shape: ExpertShape, hidden: Int, threads: Int) -> Int {
    shape.active * (2 * shape.size + hidden) * MemoryLayout<Float>.stride
      + shape.active * Activations.byteCount(capacity: 1, columns: shape.size, threads: threads)
  }

  /// Computes the contributions of the experts that the first token chose, whose input has been
  /// quantised for all of them.
  func compute(_ choices: ExpertChoices, _ block: ExpertBlock, pass: Pass) {
    list(choices, block)
    let first = first
    pass.compute.multiply(
      first.span, by: pass.workspace.hiddenActivations, backend: pass.backend)
    block.experts[0].activate(gates, ups, pass.compute)
    for place in activations.indices {
      let expert = block.experts[choices.chosen(place, by: 0).expert]
      pass.compute.quantise(
        gates.rows(place..<place + 1), for: expert.outputs, into: activations[place],
        backend: pass.backend)
    }
    let last = last
    pass.compute.multiply(last.span, backend: pass.backend)
  }

  private func list(_ choices: ExpertChoices, _ block: ExpertBlock) {
    first.removeAll(keepingCapacity: true)
    last.removeAll(keepingCapacity: true)
    for place in activations.indices {
      let expert = block.experts[choices.chosen(place, by: 0).expert]
      let row = place..<place + 1
      first.append((expert.gate, gates.rows(row)))
      first.append((expert.up, ups.rows(row)))
      last.append((expert.down, activations[place], contributions.rows(row)))
    }
  }
}
