import Kernels
import Testing

@Suite struct QuantisedAttentionTests {
  static let types = KVType.allCases.filter(\.isQuantised)
  static let shapes = [
    AttentionShape(heads: 3, keyValueHeads: 1, headDimension: 64, scale: 0.125),
    AttentionShape(heads: 2, keyValueHeads: 2, headDimension: 80, scale: 0.1, window: 330),
    AttentionShape(heads: 5, keyValueHeads: 1, headDimension: 96, scale: 0.1, window: 405),
    AttentionShape(heads: 4, keyValueHeads: 2, headDimension: 128, scale: 0.09),
    AttentionShape(heads: 8, keyValueHeads: 1, headDimension: 256, scale: 0.0625),
    AttentionShape(heads: 18, keyValueHeads: 1, headDimension: 16, scale: 0.25, window: 500),
    AttentionShape(heads: 1, keyValueHeads: 1, headDimension: 20, scale: 0.2),
    AttentionShape(heads: 2, keyValueHeads: 1, headDimension: 112, scale: 0.1, window: 5),
  ]

  @Test(arguments: shapes, types)
  func isAttentionToTheQuantisedKeysAndValues(shape: AttentionShape, type: KVType) throws {
    let fixture = AttentionFixture(shape, type: type, tokens: 470)
    let result = fixture.attend(try Compute(threads: 1), chunks: [470])
    let width = fixture.queries.columns
    let oldKeys = QuantisedRows(keys: fixture.keys, type: type)
    let oldValues = QuantisedRows(values: fixture.values, type: type, shape: shape)
    for token in [0, 319, 320, 383, 384, 403, 469] {
      let differences = zip(
        result[token * width..<(token + 1) * width], fixture.truth(token: token, oldKeys, oldValues)
      )
      .map { abs(Double($0) - $1) }
      #expect(differences.max() ?? .infinity < 1e-5, "token \(token)")
    }
  }

  @Test(arguments: shapes, types)
  func theBitsDependOnNothingButTheTokens(shape: AttentionShape, type: KVType) throws {
    let fixture = AttentionFixture(shape, type: type, tokens: 470)
    let truth = bitPatterns(
      fixture.attend(try Compute(threads: 1, instructionSet: .portable), chunks: [470]))
    let one = [Int](repeating: 1, count: 470)
    for (index, compute) in try computes(threads: 2).enumerated() {
      for chunks in [[470], fixture.chunks(seed: UInt64(index + 3), upTo: 200)] {
        let bits = bitPatterns(fixture.attend(compute, chunks: chunks, poison: true))
        #expect(bits == truth, "\(compute.kernels.instructionSet), \(chunks)")
      }
    }
    for threads in [1, 3] {
      let bits = bitPatterns(fixture.attend(try Compute(threads: threads), chunks: one))
      #expect(bits == truth, "\(threads) threads, token by token")
    }
  }

  /// Quantising, reading and merging of a long context, shared out by blocks.
  @Test(arguments: types)
  func aLongContextIsSharedOutByBlocks(type: KVType) throws {
    let shape = AttentionShape(heads: 2, keyValueHeads: 1, headDimension: 64, scale: 0.125)
    let fixture = AttentionFixture(shape, type: type, tokens: 5_000)
    let chunks = [4_990, 1, 2, 3, 4]
    let truth = fixture.attend(try Compute(threads: 1), chunks: chunks)
    let shared = fixture.attend(try Compute(threads: 2), chunks: chunks)
    #expect(bitPatterns(shared) == bitPatterns(truth))
    #expect(truth.allSatisfy { $0.isFinite })
  }

  /// Keys with channels far from zero or far apart, and values that do not differ.
  @Test(arguments: types)
  func outlyingChannelsCostTheOthersNothing(type: KVType) throws {
    let shape = AttentionShape(heads: 1, keyValueHeads: 1, headDimension: 64, scale: 0.125)
    let fixture = AttentionFixture(shape, type: type, tokens: 450)
    let plain = AttentionFixture(shape, type: .float32, tokens: 450)
    for row in 0..<450 {
      for (column, value) in [(3, Float(200)), (40, -75)] {
        fixture.keys[row, column] += value
        plain.keys[row, column] = fixture.keys[row, column]
      }
      for column in 0..<32 {
        fixture.values[row, column] = 0.5
        plain.values[row, column] = 0.5
      }
    }
    let compute = try Compute(threads: 1)
    let differences = zip(
      fixture.attend(compute, chunks: [450]), plain.attend(compute, chunks: [450])
    ).enumerated().filter { $0.offset % 64 >= 32 }.map { abs($0.element.0 - $0.element.1) }
    let constant = fixture.attend(compute, chunks: [450]).enumerated().filter {
      $0.offset % 64 < 32
    }
    #expect(constant.allSatisfy { abs($0.element - 0.5) < 1e-5 })
    #expect(differences.max() ?? 1 < (type.keyBits == 8 ? type.valueBits == 8 ? 0.2 : 0.4 : 0.6))
  }

  @Test(arguments: types)
  func whatIsNotFiniteDoesNotTrap(type: KVType) throws {
    let shape = AttentionShape(heads: 2, keyValueHeads: 1, headDimension: 32, scale: 1)
    for compute in try computes(threads: 1) {
      for value in [Float.nan, .infinity, -.infinity, 3e38] {
        let fixture = AttentionFixture(shape, type: type, tokens: 400)
        fixture.keys[5, 7] = value
        fixture.values[60, 9] = value
        _ = fixture.attend(compute, chunks: [400])
      }
    }
  }
}
