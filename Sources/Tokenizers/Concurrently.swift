import Dispatch
import Synchronization

/// The results of two pieces of work, one of which another thread does meanwhile where there is one.
func concurrently<First: Sendable, Second: Sendable>(
  _ first: @Sendable () -> First, _ second: @Sendable () -> Second
) -> (First, Second) {
  let firstResult = Mutex<First?>(nil)
  let secondResult = Mutex<Second?>(nil)
  DispatchQueue.concurrentPerform(iterations: 2) { number in
    if number == 0 {
      let result = first()
      firstResult.withLock { $0 = result }
    } else {
      let result = second()
      secondResult.withLock { $0 = result }
    }
  }
  return (
    firstResult.withLock { $0 } ?? first(), secondResult.withLock { $0 } ?? second()
  )
}
