/// Where blocks of a file lie that follow one another.
struct FileBlocks {
  let start: Int
  let count: Int
  /// Bytes of a block.
  let stride: Int
}

extension FileBytes {
  /// Copies `length` bytes of each block, from its byte `first` on, to follow one another in `target`.
  ///
  /// Looks at the bounds once for all of them: a row has many blocks of few bytes.
  func copy(
    _ blocks: FileBlocks, from first: Int, count length: Int, to target: inout MutableSpan<UInt8>
  ) {
    let (start, end) = (blocks.start, blocks.start + blocks.count * blocks.stride)
    precondition(start >= 0 && blocks.count >= 0 && blocks.stride >= 0 && end <= count)
    precondition(first >= 0 && length >= 0 && first + length <= blocks.stride)
    precondition(blocks.count * length <= target.count)
    let source = unsafe file.start + offset + start + first
    unsafe target.withUnsafeMutableBytes { target in
      guard let target = target.baseAddress else { return }
      switch length {
      case 2: unsafe move(source, blocks, to: target, as: UInt16.self)
      case 16: unsafe move(source, blocks, to: target, as: SIMD16<UInt8>.self)
      default:
        for index in 0..<blocks.count {
          unsafe (target + index * length).copyMemory(
            from: source + index * blocks.stride, byteCount: length)
        }
      }
    }
  }

  @inline(__always)
  private func move<Part: BitwiseCopyable>(
    _ source: UnsafeRawPointer, _ blocks: FileBlocks, to target: UnsafeMutableRawPointer,
    as type: Part.Type
  ) {
    for index in 0..<blocks.count {
      let part = unsafe source.loadUnaligned(
        fromByteOffset: index &* blocks.stride, as: type)
      unsafe target.storeBytes(
        of: part, toByteOffset: index &* MemoryLayout<Part>.size, as: type)
    }
  }
}
