import Foundation
import JSON
import Kernels
import TestSupport
import Testing
import Transformers
import Weights

/// Prepared weights in a file.
@Suite struct PreparedFileTests {
  private let compute: Compute

  init() throws {
    compute = try Compute(threads: 2)
  }

  private func plan(_ path: String) throws -> ModelPlan {
    if path.hasSuffix(".gguf") {
      let file = try GGUFFile(path: path)
      return try ModelPlan(file, settings: ModelSettings(file.metadata))
    }
    return try ModelPlan(
      SafetensorsCheckpoint(path: path),
      settings: ModelSettings(configuration: JSONReader.read(path: path + "/config.json")))
  }

  private func logits(_ transformer: Transformer, _ tokens: [Int32]) throws -> [UInt32] {
    let workspace = Workspace(
      transformer.configuration, capacity: tokens.count, context: 512, threads: 2)
    var state = transformer.emptyState(context: 512, keysAndValues: .float16)
    var result: [UInt32] = []
    try transformer.read(
      tokens[...], state: &state, workspace: workspace, backend: .simd, logits: .all
    ) { _, rows in
      for row in 0..<rows.rows { result += rows.elements(row: row).map(\.bitPattern) }
    }
    return result
  }

  /// Of every family and format: mapped weights compute the same to the bit.
  @Test(arguments: GoldenModel.some)
  func mappedWeightsComputeTheSame(model: GoldenModel) throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path + "/model.tiles"
    let plan = try plan(model.path)
    let tokens = Array(model.golden.prompt.prefix(12))
    let wanted = try logits(plan.load(compute: compute), tokens)
    var done = 0
    let written = try plan.load(
      compute: compute, into: path, identity: "one", modelPath: model.path
    ) { done = $0 }
    #expect(done == plan.totals.sourceByteCount)
    #expect(try logits(written, tokens) == wanted)
    let file = try plan.openPrepared(path: path, identity: "one")
    #expect(try logits(plan.load(compute: compute, from: file), tokens) == wanted)
    #expect(try PreparedFile.modelPath(of: path) == model.path)
    #expect(throws: ArchiveError.self) { try plan.openPrepared(path: path, identity: "two") }
  }

  /// Whatever is cut off or changed is found out, before a weight is used.
  @Test func whatIsNotWholeIsRefused() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path + "/model.tiles"
    let plan = try plan(try #require(GoldenModel.all.first).path)
    _ = try plan.load(compute: compute, into: path, identity: "one", modelPath: "") { _ in }
    let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func isRefused(_ bytes: [UInt8]) throws -> Bool {
      try Data(bytes).write(to: URL(filePath: path))
      do {
        let file = try plan.openPrepared(path: path, identity: "one")
        _ = try plan.load(compute: compute, from: file)
        return false
      } catch is ArchiveError {
        return true
      }
    }
    #expect(try !isRefused(whole))
    var generator = SeededGenerator(seed: 5)
    let lengths =
      [0, 1, 7, 8, 9, 64, whole.count - 9, whole.count - 8, whole.count - 1]
      + (0..<40).map { _ in Int.random(in: 0..<whole.count, using: &generator) }
    for length in lengths {
      #expect(try isRefused(Array(whole[..<length])), "cut at \(length)")
    }
    let places =
      (whole.count - 120..<whole.count)
      + (0..<100).map { _ in Int.random(in: 0..<whole.count, using: &generator) }
    for place in places {
      var bytes = whole
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      #expect(try isRefused(bytes), "changed at \(place)")
    }
    #expect(try isRefused(whole + [0]))
    #expect(try isRefused(Array(repeating: 0, count: whole.count)))
  }

  @Test func aFileThatCannotBeWrittenIsTold() throws {
    let plan = try plan(try #require(GoldenModel.all.first).path)
    #expect(throws: ArchiveError.self) {
      try plan.load(
        compute: compute, into: "/nowhere/model.tiles", identity: "", modelPath: ""
      ) { _ in }
    }
  }

  /// Blocks that were skipped leave no file behind, even if all matrices were through already.
  @Test func aLoadThatIsCancelledLeavesNoFile() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path + "/model.tiles"
    let plan = try plan(try #require(GoldenModel.all.first).path)
    let flag = CancellationFlag()
    compute.pool.cancellation = flag
    #expect(throws: ModelError.self) {
      try plan.load(compute: compute, into: path, identity: "", modelPath: "") { done in
        if done == plan.totals.sourceByteCount { flag.cancel() }
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
  }

  /// A file of an earlier version of Pipit must not be taken for one of this: when the layout of the
  /// tiles or the rows of a matrix have changed, `preparedVersion` has to be raised, and the sum here with
  /// it.
  @Test func theFormIsThatOfItsVersion() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path + "/model.tiles"
    var sum = Checksum()
    for model in GoldenModel.all.sorted(by: { $0.path < $1.path }) {
      let plan = try plan(model.path)
      _ = try plan.load(compute: compute, into: path, identity: "", modelPath: "") { _ in }
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let footer = bytes.suffix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      sum.update(Array(bytes.dropLast(8 + footer)).span)
    }
    #expect(preparedVersion == 1)
    #expect(sum.value == 8_164_443_621_826_173_422)
  }
}
