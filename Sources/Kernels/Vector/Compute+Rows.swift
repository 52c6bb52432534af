extension Compute {
  /// Does work on rows of some width: on the calling thread if there is little of it, because
  /// waking the others costs more.
  func run<Work: ParallelWork>(rows: Int, columns: Int, _ work: Work) {
    if rows < 2 || rows * columns < 32_768 {
      work.perform(0..<rows, worker: 0)
    } else {
      pool.run(rows, grain: max(1, 8_192 / max(1, columns)), work)
    }
  }
}
