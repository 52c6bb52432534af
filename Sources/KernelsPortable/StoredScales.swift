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
  let (chunk, index) = chunkOfGroup(matrix, tile, group)
  guard case .superblock = matrix.pointee.scaleStorage else {
    return element(chunk, index &* 16 &+ row, matrix.pointee.scaleStorage)
  }
  let at = 32 &+ index &* 16 &+ row
  let factor =
    matrix.pointee.isAffine
    ? Float(chunk.load(fromByteOffset: at, as: UInt8.self))
    : Float(chunk.load(fromByteOffset: at, as: Int8.self))
  return element(chunk, row, .float16) * factor
}

/// The offset of a row (0..<16) and group of an affine tile.
package func tileOffset(
  _ matrix: UnsafePointer<GroupedTiles>, _ tile: UnsafeRawPointer, _ group: Int, _ row: Int
) -> Float {
  let (chunk, index) = chunkOfGroup(matrix, tile, group)
  let section = chunk + matrix.pointee.offsetsSection
  guard case .superblock = matrix.pointee.scaleStorage else {
    return element(section, index &* 16 &+ row, matrix.pointee.scaleStorage)
  }
  let factor = section.load(fromByteOffset: 32 &+ index &* 16 &+ row, as: UInt8.self)
  return -(element(section, row, .float16) * Float(factor))
}

/// Where the chunk of a group begins, and which of its groups this is.
private func chunkOfGroup(
  _ matrix: UnsafePointer<GroupedTiles>, _ tile: UnsafeRawPointer, _ group: Int
) -> (chunk: UnsafeRawPointer, index: Int) {
  let chunk = group / matrix.pointee.chunkGroups
  return (
    tile + chunk &* matrix.pointee.chunkStride, group &- chunk &* matrix.pointee.chunkGroups
  )
}
