import Dispatch

/// Runs an actor on a queue of its own: waiting for a disk must not hold a thread that tasks share.
///
/// Jobs run one by one in the order in which they came.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  /// Runs `body` between two jobs, and waits for it.
  func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: body)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
    }
  }
}
