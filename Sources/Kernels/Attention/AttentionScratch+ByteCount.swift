extension AttentionScratch {
  /// Bytes that a scratch made with the same arguments takes.
  package static func byteCount(
    shapes: [AttentionShape], context: Int, threads: Int
  ) -> Int {
    let sizes = Sizes(shapes: shapes, context: context, threads: threads)
    return sizes.floats * MemoryLayout<Float>.stride
      + sizes.blocks * MemoryLayout<UInt>.stride
  }
}
