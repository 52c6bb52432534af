import Synchronization

/// What each thread of a pool has left to do of a region: consecutive chunks of work.
///
/// A thread takes a quarter of what it has left, so that it reads memory in ascending order and rarely
/// stops, and yet leaves enough to others until the end. One that has nothing left takes the rear half of
/// another's share. A word holds a share's first chunk and its end in 32 bits each and is all there is to
/// know of it, so that to exchange it is enough.
@safe package struct WorkShares: ~Copyable {
  // Each word has two cache lines of its own: neighbouring lines are fetched in pairs.
  private static let stride = 128
  static let mostChunks = Int(Int32.max)

  private let threads: Int
  private let block: UnsafeMutableRawPointer

  package init(threads: Int) {
    self.threads = threads
    unsafe block = .allocate(byteCount: threads * Self.stride, alignment: Self.stride)
    for thread in 0..<threads {
      unsafe (block + thread * Self.stride).bindMemory(to: Atomic<UInt64>.self, capacity: 1)
        .initialize(to: Atomic(0))
    }
  }

  deinit {
    unsafe block.deallocate()
  }

  /// Shares out chunks 0..<count, as evenly as they divide; while no thread takes or steals.
  package func divide(_ count: Int) {
    precondition(count <= Self.mostChunks, "\(count) chunks of work")
    for thread in 0..<threads {
      unsafe word(of: thread).pointee.store(
        Self.word(count * thread / threads, count * (thread + 1) / threads), ordering: .relaxed)
    }
  }

  /// How many of the chunks that are left are taken at a time.
  static func portion(of chunks: Int) -> Int { (chunks + 3) / 4 }

  /// The next chunks of a thread's own share, or nil when there are none.
  package func take(_ thread: Int) -> Range<Int>? {
    var word = unsafe word(of: thread).pointee.load(ordering: .relaxed)
    while true {
      let share = Self.share(word)
      guard !share.isEmpty else { return nil }
      let taken = share.lowerBound..<share.lowerBound + Self.portion(of: share.count)
      let (exchanged, original) = unsafe self.word(of: thread).pointee.compareExchange(
        expected: word, desired: Self.word(taken.upperBound, share.upperBound),
        ordering: .relaxed)
      if exchanged { return taken }
      word = original
    }
  }

  /// Gives a thread that has nothing left the rear half of another's share; false when nobody has
  /// anything.
  package func steal(for thread: Int) -> Bool {
    for distance in 1..<max(threads, 1) {
      let victim = (thread + distance) % threads
      var word = unsafe word(of: victim).pointee.load(ordering: .relaxed)
      while true {
        let share = Self.share(word)
        guard !share.isEmpty else { break }
        let left = share.lowerBound + share.count / 2
        let (exchanged, original) = unsafe self.word(of: victim).pointee.compareExchange(
          expected: word, desired: Self.word(share.lowerBound, left), ordering: .relaxed)
        if exchanged {
          unsafe self.word(of: thread).pointee.store(
            Self.word(left, share.upperBound), ordering: .relaxed)
          return true
        }
        word = original
      }
    }
    return false
  }

  private func word(of thread: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    unsafe (block + thread * Self.stride).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  private static func word(_ first: Int, _ end: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: first) << 32 | UInt64(truncatingIfNeeded: end)
  }

  private static func share(_ word: UInt64) -> Range<Int> {
    Int(word >> 32)..<Int(word & 0xffff_ffff)
  }
}
