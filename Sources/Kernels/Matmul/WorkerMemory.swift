/// As much memory for each worker, zero at first, which grows to the largest that was asked for.
@safe struct WorkerMemory {
  private var slabs: [Slab<UInt8>] = []
  private var bases: [UnsafeMutableRawPointer] = unsafe []

  mutating func reserve(byteCount: Int, workers: Int) {
    if slabs.first?.count ?? 0 >= byteCount, slabs.count >= workers || byteCount == 0 {
      return
    }
    let bytes = max(byteCount, slabs.first?.count ?? 0)
    slabs = (0..<max(workers, slabs.count)).map { _ in Slab(count: bytes) }
    unsafe bases = slabs.map { unsafe UnsafeMutableRawPointer($0.base) }
  }

  func withBases(_ body: (UnsafeBufferPointer<UnsafeMutableRawPointer>) -> Void) {
    unsafe bases.withUnsafeBufferPointer(body)
    withExtendedLifetime(slabs) {}
  }
}
