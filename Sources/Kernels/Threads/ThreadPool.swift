import Glibc
import Synchronization

/// Threads that share out numbered items.
///
/// The calling thread takes part. Each thread has consecutive items for its own, takes some at a time
/// and then helps others, so that one which loses its core holds up what it has begun and not the
/// whole region. Waiting threads spin for
/// some microseconds and then sleep; an idle pool uses no processor time. Regions of one pool
/// follow one another (a second caller waits), and an item must not start a region.
package final class ThreadPool: Sendable {
  /// How many threads work, the caller included.
  package let threads: Int

  private let core: PoolCore
  private let handles: [pthread_t]
  private let turn = Mutex<CancellationFlag?>(nil)

  /// Starts `threads` − 1 workers, or as many as the system grants.
  package init(threads: Int) {
    precondition(threads >= 1 && threads <= 4_000, "\(threads) threads")
    let core = PoolCore(threads: max(threads, 1))
    var handles: [pthread_t] = []
    for worker in 1..<max(threads, 1) {
      guard let handle = Self.start(core, worker: worker) else { break }
      handles.append(handle)
    }
    self.core = core
    self.handles = handles
    self.threads = handles.count + 1
  }

  deinit {
    core.end()
    for handle in handles {
      pthread_join(handle, nil)
    }
  }

  /// Once this flag is set, the items that no thread has begun are skipped.
  ///
  /// The caller of a region learns of it by asking the flag, not from the region.
  package var cancellation: CancellationFlag? {
    get { turn.withLock { $0 } }
    set { turn.withLock { $0 = newValue } }
  }

  /// Does work on `count` items, `grain` at a time, and returns when all is done.
  ///
  /// Allocates nothing.
  package func run<Work: ParallelWork>(_ count: Int, grain: Int = 1, _ work: Work) {
    precondition(grain > 0)
    turn.withLock { flag in
      let cancellation = unsafe flag?.word
      guard threads > 1 && count > grain else {
        unsafe Self.runAlone(count, grain: grain, cancellation) {
          work.perform($0, worker: 0)
        }
        return
      }
      unsafe withUnsafePointer(to: work) { address in
        unsafe core.run(
          PoolCore.Job(
            type: Work.self, address: UnsafeRawPointer(address), count: count, grain: grain,
            cancellation: cancellation),
          waking: min(threads - 1, (count - 1) / grain))
      }
    }
  }

  /// Calls a closure for every item; `worker` is in 0..<threads.
  ///
  /// Allocates, if others than the calling thread take part, to hand the closure to them.
  package func run(
    _ count: Int, grain: Int = 1, _ body: (_ item: Int, _ worker: Int) -> Void
  ) {
    guard threads > 1 && count > grain else {
      turn.withLock { flag in
        unsafe Self.runAlone(count, grain: grain, flag?.word) { items in
          for item in items {
            body(item, 0)
          }
        }
      }
      return
    }
    withoutActuallyEscaping(body) { body in
      run(count, grain: grain, ClosureWork(body: body))
    }
  }

  private static func runAlone(
    _ count: Int, grain: Int, _ cancellation: UnsafeMutablePointer<Atomic<Bool>>?,
    _ perform: (Range<Int>) -> Void
  ) {
    var first = 0
    while first < count {
      if let cancelled = unsafe cancellation,
        unsafe cancelled.pointee.load(ordering: .relaxed)
      {
        return
      }
      // As much at a time as a share is taken by, so that memory is read without a stop.
      let chunks = (count - first - 1) / grain + 1
      let end = min(first + WorkShares.portion(of: chunks) * grain, count)
      perform(first..<end)
      first = end
    }
  }

  /// A worker's thread, which takes no signals: those are for the program's first thread.
  private static func start(_ core: PoolCore, worker: Int) -> pthread_t? {
    var all = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let start = unsafe Unmanaged.passRetained(WorkerStart(core: core, worker: worker))
    var handle = pthread_t()
    let failure = unsafe pthread_create(
      &handle, nil,
      { context in
        if let context = unsafe context {
          let start = unsafe Unmanaged<WorkerStart>.fromOpaque(context).takeRetainedValue()
          start.core.serve(worker: start.worker)
        }
        return nil
      }, start.toOpaque())
    guard failure == 0 else {
      unsafe start.release()
      return nil
    }
    return handle
  }
}

/// What a new thread is told.
private final class WorkerStart: Sendable {
  let core: PoolCore
  let worker: Int

  init(core: PoolCore, worker: Int) {
    self.core = core
    self.worker = worker
  }
}
