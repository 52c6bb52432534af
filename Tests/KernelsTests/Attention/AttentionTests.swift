import Kernels
import Testing

@Suite struct AttentionTests {
  static let shapes = [
    AttentionShape(heads: 9, keyValueHeads: 3, headDimension: 64, scale: 0.125),
    AttentionShape(heads: 2, keyValueHeads: 2, headDimension: 80, scale: 0.1, window: 100),
    AttentionShape(heads: 4, keyValueHeads: 1, headDimension: 96, scale: 0.1, window: 5),
    AttentionShape(heads: 4, keyValueHeads: 2, headDimension: 128, scale: 0.09),
    AttentionShape(heads: 6, keyValueHeads: 1, headDimension: 256, scale: 0.0625, window: 64),
    AttentionShape(heads: 20, keyValueHeads: 1, headDimension: 16, scale: 0.25, window: 1),
    AttentionShape(heads: 5, keyValueHeads: 1, headDimension: 20, scale: 0.2, window: 70),
  ]

  @Test(arguments: shapes, [KVType.float32, .float16])
  func isAttentionToTheStoredKeysAndValues(shape: AttentionShape, type: KVType) throws {
    let fixture = AttentionFixture(shape, type: type, tokens: 150)
    let result = fixture.attend(try Compute(threads: 1), chunks: [150])
    let width = fixture.queries.columns
    let oldKeys = QuantisedRows(keys: fixture.keys, type: type)
    let oldValues = QuantisedRows(values: fixture.values, type: type, shape: shape)
    for token in [0, 1, 4, 63, 64, 65, 100, 127, 149] {
      let differences = zip(
        result[token * width..<(token + 1) * width], fixture.truth(token: token, oldKeys, oldValues)
      )
      .map { abs(Double($0) - $1) }
      #expect(differences.max() ?? .infinity < 5e-6, "token \(token)")
    }
  }

  @Test(arguments: shapes, [KVType.float32, .float16])
  func theBitsDependOnNothingButTheTokens(shape: AttentionShape, type: KVType) throws {
    let fixture = AttentionFixture(shape, type: type, tokens: 150)
    let truth = bitPatterns(
      fixture.attend(try Compute(threads: 1, instructionSet: .portable), chunks: [150]))
    for threads in 1...3 {
      for compute in try computes(threads: threads) {
        let ways =
          [[150], [Int](repeating: 1, count: 150)]
          + (1...2).map { fixture.chunks(seed: $0, upTo: 40) }
        for chunks in ways {
          let bits = bitPatterns(fixture.attend(compute, chunks: chunks, poison: true))
          #expect(
            bits == truth, "\(compute.kernels.instructionSet), \(threads) threads, \(chunks)")
        }
      }
    }
  }

  /// Long enough that the blocks of one token are shared out, in more than one round.
  @Test(arguments: [nil, 4_500])
  func aLongContextIsSharedOutByBlocks(window: Int?) throws {
    let shape = AttentionShape(
      heads: 2, keyValueHeads: 1, headDimension: 64, scale: 0.125, window: window)
    let fixture = AttentionFixture(shape, tokens: 5_000)
    let one = try Compute(threads: 1)
    let two = try Compute(threads: 2)
    let chunks = [4_990, 1, 2, 3, 4]
    let truth = fixture.attend(one, chunks: chunks)
    let shared = fixture.attend(two, chunks: chunks)
    #expect(bitPatterns(shared) == bitPatterns(truth))
    #expect(truth.allSatisfy { $0.isFinite })
  }

  @Test func scoresThatAreNotFiniteDoNotTrap() throws {
    let shape = AttentionShape(heads: 2, keyValueHeads: 1, headDimension: 32, scale: 1)
    for compute in try computes(threads: 2) {
      for value in [Float.nan, .infinity, -.infinity, -3e38] {
        let fixture = AttentionFixture(shape, tokens: 70)
        for column in 0..<32 {
          fixture.queries[69, column] = value
          fixture.queries[68, column] = value
          fixture.keys[68, column] = 1e5
        }
        let result = fixture.attend(compute, chunks: [70])
        #expect(result[..<(68 * 64)].allSatisfy { $0.isFinite })
      }
    }
  }

  @Test func aWindowNeedsNoBlocksBeforeIt() throws {
    let shape = AttentionShape(
      heads: 2, keyValueHeads: 1, headDimension: 32, scale: 0.2, window: 50)
    let fixture = AttentionFixture(shape, tokens: 300)
    let compute = try Compute(threads: 1)
    let truth = fixture.attend(compute, chunks: [300])
    var blocks = KVBlocks(keyValueHeads: 1, headDimension: 32)
    let scratch = AttentionScratch(shapes: [shape], context: 300, threads: 1)
    let target = FloatRows(Slab(count: 64), rows: 1, columns: 64)
    for position in 0..<300 {
      blocks.dropBlocks(before: position + 1 - 50)
      blocks.prepareToWrite(position..<position + 1)
      let row = position..<position + 1
      compute.store(
        keys: fixture.keys.rows(row), values: fixture.values.rows(row), at: position, in: blocks)
      compute.attend(
        fixture.queries.rows(row), at: position, in: blocks, shape: shape, scratch: scratch,
        into: target)
      #expect(target.elements == Array(truth[position * 64..<position * 64 + 64]))
    }
    #expect(blocks.blocks.count <= 2)
    #expect(blocks.firstBlock == 3)
  }
}
