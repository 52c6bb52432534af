import Kernels

extension ModelState {
  /// Memory that states may share, for summing up without counting anything twice.
  package struct Part: Hashable, Sendable {
    /// What tells it from all others, as long as a state holds it.
    package let identity: ObjectIdentifier
    package let byteCount: Int
    /// Whether a state that goes on reading keeps it as it is.
    ///
    /// Otherwise it will be copied, or let go of, and then belongs to those made before alone.
    package let isLasting: Bool
  }

  /// Calls `body` with each part once.
  package func forEachPart(_ body: (Part) -> Void) {
    for (layer, window) in zip(layers, windows) {
      switch layer {
      case .attention(let blocks):
        let complete = position / KVBlock.positions - blocks.firstBlock
        for (index, block) in blocks.blocks.enumerated() {
          body(
            Part(
              identity: ObjectIdentifier(block), byteCount: block.byteCount,
              isLasting: window == nil && !blocks.type.isQuantised && index < complete))
        }
        for block in blocks.quantisedBlocks {
          body(
            Part(
              identity: ObjectIdentifier(block), byteCount: block.byteCount,
              isLasting: window == nil && block.isQuantised))
        }
      case .deltaNet(let memory):
        body(
          Part(
            identity: ObjectIdentifier(memory), byteCount: memory.byteCount, isLasting: false))
      case .empty: break
      }
    }
  }
}
