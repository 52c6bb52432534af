package import KernelTypes

/// The value of a float16's bits, exactly.
package func float32(fromFloat16 bits: UInt16) -> Float {
  let sign = UInt32(bits & 0x8000) &<< 16
  let magnitude = UInt32(bits & 0x7FFF)
  if magnitude >= 0x7C00 {
    return Float(bitPattern: sign | 0x7F80_0000 | (magnitude & 0x3FF) &<< 13)
  }
  if magnitude >= 0x0400 {
    return Float(bitPattern: sign | (magnitude &<< 13 &+ 0x3800_0000))
  }
  // Subnormal: the fraction times 2⁻²⁴, by a subtraction that is exact.
  let half = Float(bitPattern: 0x3F00_0000)
  let value = Float(bitPattern: 0x3F00_0000 | magnitude) - half
  return Float(bitPattern: sign | value.bitPattern)
}

/// Element `index` of a section of scales, offsets or dense elements.
package func element(
  _ section: UnsafeRawPointer, _ index: Int, _ storage: ScaleStorage
) -> Float {
  switch storage {
  case .float16:
    float32(
      fromFloat16: UInt16(
        littleEndian: section.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
  case .bfloat16:
    Float(
      bitPattern: UInt32(
        UInt16(littleEndian: section.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
        &<< 16)
  case .float32, .superblock:
    Float(
      bitPattern: UInt32(
        littleEndian: section.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)))
  }
}

/// The scale of a row (0..<16) and group of a tile.
package func tileScale(
  _ matrix: UnsafePointer<GroupedTiles>, _ tile: UnsafeRawPointer, _ group: Int, _ row: Int
) -> Float {
  guard case .superblock = matrix.pointee.scaleStorage else {
    return element(tile, group &* 16 &+ row, matrix.pointee.scaleStorage)
  }
  if matrix.pointee.isAffine {
    let superblock = tile + (group &>> 3) &* 160
    let factor = superblock.load(
      fromByteOffset: 32 &+ (group & 7) &* 16 &+ row, as: UInt8.self)
    return element(superblock, row, .float16) * Float(factor)
  }
  let superblock = tile + (group &>> 4) &* 288
  let factor = superblock.load(fromByteOffset: 32 &+ (group & 15) &* 16 &+ row, as: Int8.self)
  return element(superblock, row, .float16) * Float(factor)
}

/// The offset of a row (0..<16) and group of an affine tile.
package func tileOffset(
  _ matrix: UnsafePointer<GroupedTiles>, _ tile: UnsafeRawPointer, _ group: Int, _ row: Int
) -> Float {
  let section = tile + matrix.pointee.offsetsSection
  guard case .superblock = matrix.pointee.scaleStorage else {
    return element(section, group &* 16 &+ row, matrix.pointee.scaleStorage)
  }
  let superblock = section + (group &>> 3) &* 160
  let factor = superblock.load(fromByteOffset: 32 &+ (group & 7) &* 16 &+ row, as: UInt8.self)
  return -(element(superblock, row, .float16) * Float(factor))
}
