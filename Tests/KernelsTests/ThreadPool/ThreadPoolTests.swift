import Kernels
import Synchronization
import Testing

@Suite struct ThreadPoolTests {
  @Test(arguments: [1, 2, 3, 8], [1, 3, 64])
  func everyItemIsDoneOnce(threads: Int, grain: Int) {
    let pool = ThreadPool(threads: threads)
    #expect(pool.threads == threads)
    for count in [0, 1, 2, 7, 64, 1_000] {
      let marks = Slab<Int32>(count: count)
      let workers = Slab<Int32>(count: count)
      pool.run(count, grain: grain) { item, worker in
        marks[item] += 1
        workers[item] = Int32(worker)
      }
      #expect(marks.elements(0..<count).allSatisfy { $0 == 1 })
      #expect(workers.elements(0..<count).allSatisfy { $0 >= 0 && $0 < threads })
    }
  }

  @Test(arguments: [2, 9])
  func manyShortRegionsLoseNothing(threads: Int) {
    let pool = ThreadPool(threads: threads)
    let sums = Slab<Int>(count: threads)
    for region in 0..<5_000 {
      pool.run(1 + region % 13) { item, worker in sums[worker] += item + 1 }
    }
    let expected = (0..<5_000).reduce(0) { $0 + (1 + $1 % 13) * (2 + $1 % 13) / 2 }
    #expect(sums.elements(0..<threads).reduce(0, +) == expected)
  }

  @Test func callersOnSeveralThreadsTakeTurns() async {
    let pool = ThreadPool(threads: 2)
    let total = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            pool.run(10) { item, _ in total.value.wrappingAdd(item, ordering: .relaxed) }
          }
        }
      }
    }
    #expect(total.value.load(ordering: .relaxed) == 4 * 200 * 45)
  }

  @Test(arguments: [1, 2, 3])
  func cancellationSkipsWhatHasNotBegun(threads: Int) {
    let pool = ThreadPool(threads: threads)
    let flag = CancellationFlag()
    pool.cancellation = flag
    let done = Atomic(0)
    pool.run(1_000) { item, _ in
      done.wrappingAdd(1, ordering: .relaxed)
      if item == 10 {
        flag.cancel()
      }
    }
    #expect(flag.isCancelled)
    #expect(done.load(ordering: .relaxed) < 1_000)
    pool.run(5) { _, _ in done.store(-1, ordering: .relaxed) }
    #expect(done.load(ordering: .relaxed) > 0)
    pool.cancellation = nil
    pool.run(5) { _, _ in done.store(-1, ordering: .relaxed) }
    #expect(done.load(ordering: .relaxed) == -1)
  }

  @Test func aPoolEndsWhileItsWorkersSleepOrSpin() {
    for round in 0..<50 {
      let pool = ThreadPool(threads: 4)
      if round % 2 == 0 {
        pool.run(4) { _, _ in }
      }
    }
  }
}

private final class Counter: Sendable {
  let value = Atomic(0)
}
