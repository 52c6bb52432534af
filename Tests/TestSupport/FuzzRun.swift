/// What a parser did with damaged files.
package struct FuzzRun: Sendable {
  /// How many files there were.
  package private(set) var files = 0
  /// How many of them were read without an error.
  package private(set) var accepted = 0
  /// Processor time of the slowest, in seconds.
  package private(set) var slowest = 0.0
  /// Bytes by which the process's peaks grew, resident and in address space.
  ///
  /// They are the whole process's, so they say something only when nothing else is tested.
  package private(set) var residentGrowth = 0
  package private(set) var addressGrowth = 0

  /// Gives mutations of `corpus` to `read`; errors that `isExpected` knows are what should come.
  ///
  /// A crash ends the test run, which is the finding; the seed makes it come again. `head` keeps
  /// changes to so many of the first bytes of each file of the corpus; of the number of files that
  /// `PIPIT_FUZZ_ITERATIONS` asks for, a run makes one in `share`.
  package init(
    _ name: String, _ corpus: [[UInt8]], head: [Int]? = nil, seed: UInt64, usual: Int = 3000,
    share: Int = 1, isExpected: (any Error) -> Bool, read: ([UInt8]) throws -> Void
  ) throws {
    let before = (ResidentMemory.peak ?? 0, ResidentMemory.addressPeak ?? 0)
    var mutator = Mutator(seed: seed)
    files = Mutator.isFuzzing ? Mutator.iterations(usual: usual) / share : usual
    for iteration in 0..<files {
      let place = iteration % corpus.count
      let whole = corpus[place]
      let length = head?[place] ?? whole.count
      let bytes = mutator.mutate(Array(whole.prefix(length))) + whole.dropFirst(length)
      let time = try ThreadTime.measure {
        do {
          try read(bytes)
          accepted += 1
        } catch let error where isExpected(error) {}
      }
      slowest = max(slowest, time)
    }
    residentGrowth = (ResidentMemory.peak ?? 0) - before.0
    addressGrowth = (ResidentMemory.addressPeak ?? 0) - before.1
    if Mutator.isFuzzing {
      print(
        "fuzz: \(name): \(files) files, \(accepted) read, slowest \(Int(slowest * 1000)) ms,",
        "\(residentGrowth >> 20) MB more resident, \(addressGrowth >> 20) MB more address space")
    }
  }

  /// Whether no file took two seconds and, in a run of this test alone, 64 MB.
  package var isWithinBounds: Bool {
    slowest < 2
      && (!Mutator.isFuzzing || max(residentGrowth, addressGrowth) < 64 << 20)
  }
}
