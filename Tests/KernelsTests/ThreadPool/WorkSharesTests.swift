import Kernels
import Testing

@Suite struct WorkSharesTests {
  @Test(arguments: [1, 2, 3, 7], [0, 1, 2, 5, 64, 1_001])
  func chunksAreGivenOutOnce(threads: Int, count: Int) {
    let shares = WorkShares(threads: threads)
    shares.divide(count)
    var times = [Int](repeating: 0, count: count)
    // The last thread comes late and the others do its share.
    for thread in 0..<threads {
      repeat {
        while let chunks = shares.take(thread) {
          for chunk in chunks { times[chunk] += 1 }
          if thread < threads - 1 && chunks.upperBound % 3 == 0 { break }
        }
      } while thread == threads - 1 && shares.steal(for: thread)
    }
    #expect(times.allSatisfy { $0 == 1 })
    let isAnythingLeft = shares.steal(for: 0)
    #expect(!isAnythingLeft)
  }

  @Test func aShareIsTakenInAscendingOrderAndLessAtATime() throws {
    let shares = WorkShares(threads: 2)
    shares.divide(64)
    var taken: [Range<Int>] = []
    while let chunks = shares.take(1) { taken.append(chunks) }
    #expect(taken.first == 32..<40)
    #expect(taken.last == 63..<64)
    #expect(zip(taken, taken.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(zip(taken, taken.dropFirst()).allSatisfy { $0.count >= $1.count })
  }

  @Test func whoHasNothingLeftTakesTheRearHalf() throws {
    let shares = WorkShares(threads: 2)
    shares.divide(64)
    while shares.take(1) != nil {}
    let first = shares.take(0)
    let hasStolen = shares.steal(for: 1)
    let stolen = shares.take(1)
    let second = shares.take(0)
    #expect(first == 0..<8)
    #expect(hasStolen)
    #expect(stolen?.lowerBound == 20)
    #expect(second?.lowerBound == 8)
  }
}
