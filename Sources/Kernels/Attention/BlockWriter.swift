import KernelTypes

/// Writes keys and values into blocks that are not quantised, rounded to the blocks' type.
@safe struct BlockWriter: Sendable {
  private let compute: Compute
  private let layout: KVLayout
  private let headDimension: Int
  private let isFloat32: Bool

  /// Of a quantised type, the blocks that still hold what was stored.
  init(_ compute: Compute, headDimension: Int, type: KVType) {
    self.compute = compute
    layout = KVLayout(headDimension: headDimension, type: type.stored)
    self.headDimension = headDimension
    isFloat32 = type.stored == .float32
  }

  /// Stores a head's key and value at a place of the block that begins at `bytes`.
  func store(
    key: UnsafePointer<Float>, value: UnsafePointer<Float>, in bytes: UnsafeMutableRawPointer,
    head: Int, place: Int
  ) {
    let keys = unsafe bytes + head * layout.headByteCount
    unsafe store(key, keys, place, stride: KVBlock.positions)
    unsafe store(
      value, keys + layout.values, place * KVBlock.paddedDimension(headDimension), stride: 1)
  }

  /// Stores elements from element `first` on, `stride` elements apart.
  private func store(
    _ source: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer, _ first: Int, stride: Int
  ) {
    if isFloat32 {
      unsafe compute.kernels.vector.storeFloat32(
        source, headDimension, target.assumingMemoryBound(to: Float.self) + first, stride)
    } else {
      unsafe compute.kernels.vector.storeFloat16(
        source, headDimension, target.assumingMemoryBound(to: UInt16.self) + first, stride)
    }
  }
}

/// The key and the value of a single token, which who computes its block for a head stores there first:
/// the lines of the block that are written to are those that are read next.
@safe struct FreshPosition {
  private let keys, values: UnsafePointer<Float>
  private let headDimension: Int
  private let writer: BlockWriter

  /// The first rows of `keys` and `values`, which must live on.
  init(_ compute: Compute, keys: FloatRows, values: FloatRows, blocks: KVBlocks) {
    unsafe self.keys = UnsafePointer(keys.pointer(row: 0))
    unsafe self.values = UnsafePointer(values.pointer(row: 0))
    headDimension = blocks.headDimension
    writer = BlockWriter(compute, headDimension: blocks.headDimension, type: blocks.type)
  }

  func store(head: Int, in bytes: UnsafeRawPointer, place: Int) {
    unsafe writer.store(
      key: keys + head * headDimension, value: values + head * headDimension,
      in: UnsafeMutableRawPointer(mutating: bytes), head: head, place: place)
  }
}
