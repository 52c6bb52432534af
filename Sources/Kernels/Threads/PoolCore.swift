import CMachine
import Synchronization

// What the caller and the workers of a pool share.
//
// One word says everything: how many workers are inside the region (bits 0–11), whether it is
// open (bit 12), and which region it is (the bits above). A worker joins an open region that it
// has not seen yet by adding one; the caller closes the region when nothing is left to do and
// then waits only for those that are inside. A worker that has lost its core and never came
// holds nobody up: the others do its share.

/// The shared state of a pool; lives until the last of its threads has ended.
@safe final class PoolCore: @unchecked Sendable {
  static let inside: UInt32 = 0xfff
  static let open: UInt32 = 0x1000
  static let region: UInt32 = 0x2000

  /// About 30 µs: longer than the serial steps between two regions of a token.
  private static let spins = 1_000

  /// The region that is open, as the caller describes it before opening and after closing it.
  @safe struct Job {
    var type: any ParallelWork.Type
    var address: UnsafeRawPointer
    var count: Int
    var grain: Int
    var cancellation: UnsafeMutablePointer<Atomic<Bool>>?
  }

  // Each word has two cache lines of its own: neighbouring lines are fetched in pairs.
  private let block: UnsafeMutableRawPointer
  private let state: UnsafeMutablePointer<Atomic<UInt32>>
  private let shares: WorkShares
  private let sleepers: UnsafeMutablePointer<Atomic<UInt32>>
  private let callerSleeps: UnsafeMutablePointer<Atomic<UInt32>>
  private let isEnding: UnsafeMutablePointer<Atomic<Bool>>
  private var job: Job?

  /// For at most `threads` threads, the caller included.
  init(threads: Int) {
    shares = WorkShares(threads: threads)
    unsafe block = .allocate(byteCount: 4 * 128, alignment: 128)
    unsafe state = block.bindMemory(to: Atomic<UInt32>.self, capacity: 1)
    unsafe sleepers = (block + 128).bindMemory(to: Atomic<UInt32>.self, capacity: 1)
    unsafe callerSleeps = (block + 256).bindMemory(to: Atomic<UInt32>.self, capacity: 1)
    unsafe isEnding = (block + 384).bindMemory(to: Atomic<Bool>.self, capacity: 1)
    unsafe state.initialize(to: Atomic(0))
    unsafe sleepers.initialize(to: Atomic(0))
    unsafe callerSleeps.initialize(to: Atomic(0))
    unsafe isEnding.initialize(to: Atomic(false))
  }

  deinit {
    unsafe block.deallocate()
  }

  // MARK: The caller

  /// Runs a region to its end: the caller works too, and returns when no worker is inside.
  func run(_ job: Job, waking workers: Int) {
    self.job = job
    shares.divide((job.count - 1) / job.grain + 1)
    let before = unsafe state.pointee.load(ordering: .relaxed)
    unsafe state.pointee.store(
      (before &+ Self.region) | Self.open, ordering: .sequentiallyConsistent)
    if unsafe sleepers.pointee.load(ordering: .sequentiallyConsistent) > 0 {
      unsafe pipit_wake(state, Int32(truncatingIfNeeded: workers))
    }
    deal(job, worker: 0)
    let closed = unsafe state.pointee.bitwiseXor(
      Self.open, ordering: .sequentiallyConsistent
    ).newValue
    if closed & Self.inside != 0 {
      waitForWorkers()
    }
    self.job = nil
  }

  private func waitForWorkers() {
    for _ in 0..<Self.spins {
      if unsafe state.pointee.load(ordering: .acquiring) & Self.inside == 0 {
        return
      }
      pipit_pause()
    }
    while true {
      unsafe callerSleeps.pointee.store(1, ordering: .sequentiallyConsistent)
      if unsafe state.pointee.load(ordering: .sequentiallyConsistent) & Self.inside == 0 {
        unsafe callerSleeps.pointee.store(0, ordering: .relaxed)
        return
      }
      unsafe pipit_wait(callerSleeps, 1)
    }
  }

  /// Tells the workers to end.
  func end() {
    unsafe isEnding.pointee.store(true, ordering: .sequentiallyConsistent)
    unsafe state.pointee.wrappingAdd(Self.region, ordering: .sequentiallyConsistent)
    unsafe pipit_wake(state, Int32.max)
  }

  // MARK: The workers

  /// The life of a worker.
  func serve(worker: Int) {
    var seen: UInt32 = 0
    while let region = waitForRegion(after: seen) {
      seen = region & ~(Self.inside | Self.open)
      // The region may have closed meanwhile; then it is as if this worker had never come.
      guard join(seen) else { continue }
      if let job {
        deal(job, worker: worker)
      }
      leave()
    }
  }

  /// The word of a region that is open and not the one seen last, or nil when the pool ends.
  private func waitForRegion(after seen: UInt32) -> UInt32? {
    var spins = 0
    while true {
      let word = unsafe state.pointee.load(ordering: .sequentiallyConsistent)
      if unsafe isEnding.pointee.load(ordering: .sequentiallyConsistent) {
        return nil
      }
      if word & Self.open != 0 && word & ~(Self.inside | Self.open) != seen {
        return word
      }
      if spins < Self.spins {
        spins += 1
        pipit_pause()
      } else {
        unsafe sleepers.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        unsafe pipit_wait(state, word)
        unsafe sleepers.pointee.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      }
    }
  }

  private func join(_ region: UInt32) -> Bool {
    var word = unsafe state.pointee.load(ordering: .relaxed)
    while word & Self.open != 0 && word & ~(Self.inside | Self.open) == region {
      let (exchanged, original) = unsafe state.pointee.weakCompareExchange(
        expected: word, desired: word &+ 1, ordering: .acquiring)
      if exchanged {
        return true
      }
      word = original
    }
    return false
  }

  private func leave() {
    let word = unsafe state.pointee.wrappingSubtract(
      1, ordering: .sequentiallyConsistent
    ).newValue
    guard word & (Self.inside | Self.open) == 0 else { return }
    if unsafe callerSleeps.pointee.exchange(0, ordering: .sequentiallyConsistent) == 1 {
      unsafe pipit_wake(callerSleeps, 1)
    }
  }

  // MARK: Both

  private func deal(_ job: Job, worker: Int) {
    let count = job.count
    let grain = job.grain
    repeat {
      while let chunks = shares.take(worker) {
        if let cancelled = unsafe job.cancellation,
          unsafe cancelled.pointee.load(ordering: .relaxed)
        {
          return
        }
        unsafe job.type.perform(
          at: job.address, chunks.lowerBound * grain..<min(chunks.upperBound * grain, count),
          worker: worker)
      }
    } while shares.steal(for: worker)
  }
}
