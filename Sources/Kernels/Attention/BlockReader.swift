import KernelTypes

/// Attention to the blocks of one form.
@safe struct BlockReader: Sendable {
  private let layout: KVLayout
  private let type: KVType
  private let kernel: VectorKernels.AttendBlock

  init(_ compute: Compute, _ shape: AttentionShape, _ type: KVType) {
    layout = KVLayout(headDimension: shape.headDimension, type: type)
    self.type = type
    let vector = compute.kernels.vector
    unsafe kernel =
      switch type {
      case .float32: unsafe vector.attendFloat32Block
      case .float16: unsafe vector.attendFloat16Block
      case .quantised: unsafe vector.attendQuantisedBlock
      }
  }

  /// (m, l, o) of every row of a tile for the block that begins at `bytes`.
  func attend(
    _ tile: inout AttentionTile, _ bytes: UnsafeRawPointer, head: Int, start: Int
  ) {
    let keys = unsafe bytes + head * layout.headByteCount
    tile.keyBits = type.keyBits
    tile.valueBits = type.valueBits
    unsafe kernel(&tile, keys, keys + layout.values, start)
  }
}
