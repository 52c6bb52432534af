import KernelTypes

/// Where the heads of a block lie, and the values of each in the types that are not quantised.
struct KVLayout {
  /// Bytes from the beginning of a head to its values, and to the next head.
  let values: Int
  let headByteCount: Int

  init(headDimension: Int, type: KVType) {
    if type.isQuantised {
      let layout = QuantisedLayout(
        headDimension: headDimension, keyBits: type.keyBits, valueBits: type.valueBits)
      values = layout.values
      headByteCount = layout.byteCount
    } else {
      let bytesPerChannel = KVBlock.positions * type.keyBits / 8
      values = headDimension * bytesPerChannel
      headByteCount = values + KVBlock.paddedDimension(headDimension) * bytesPerChannel
    }
  }
}
