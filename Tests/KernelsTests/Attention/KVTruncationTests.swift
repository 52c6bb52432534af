import Kernels
import Testing

/// Reading, going back, keeping snapshots and branching, in any order.
@Suite struct KVTruncationTests {
  /// What was read, by its rows in the pool, and its state.
  private struct Reader {
    var tokens: [Int] = []
    var blocks: KVBlocks
  }

  private let shape = AttentionShape(
    heads: 2, keyValueHeads: 1, headDimension: 32, scale: 0.2)
  private let pool: AttentionFixture
  private let compute: Compute
  private let scratch: AttentionScratch

  init() throws {
    pool = AttentionFixture(shape, tokens: 3_000)
    compute = try Compute(threads: 1)
    scratch = AttentionScratch(shapes: [shape], context: 3_000, threads: 1)
  }

  /// Reads rows of the pool and returns the last one's output.
  private func read(_ tokens: Range<Int>, _ reader: inout Reader) -> [UInt32] {
    let position = reader.tokens.count
    reader.blocks.prepareToWrite(position..<position + tokens.count)
    compute.store(
      keys: pool.keys.rows(tokens), values: pool.values.rows(tokens), at: position,
      in: reader.blocks)
    let target = FloatRows(
      Slab(count: tokens.count * 64), rows: tokens.count, columns: 64)
    compute.attend(
      pool.queries.rows(tokens), at: position, in: reader.blocks, shape: shape, scratch: scratch,
      into: target)
    reader.tokens += tokens
    return bitPatterns(target.rows(tokens.count - 1..<tokens.count).elements)
  }

  /// What a run gives that has never read anything else.
  private func fresh(_ tokens: [Int], _ type: KVType) -> [UInt32] {
    var reader = Reader(blocks: empty(type))
    var result: [UInt32] = []
    var first = 0
    while first < tokens.count {
      var end = first + 1
      while end < tokens.count && tokens[end] == tokens[end - 1] + 1 {
        end += 1
      }
      result = read(tokens[first]..<tokens[end - 1] + 1, &reader)
      first = end
    }
    return result
  }

  private func empty(_ type: KVType) -> KVBlocks {
    KVBlocks(keyValueHeads: 1, headDimension: 32, type: type)
  }

  @Test(arguments: [KVType.float16, .int8, .int4, .quantised(keys: .eight, values: .four)], 1...2)
  func everyBranchIsAsIfReadAfresh(type: KVType, seed: Int) throws {
    var noise = Noise(UInt64(seed))
    var reader = Reader(blocks: empty(type))
    var snapshots: [Reader] = []
    var refused = 0
    var reads = 0
    for _ in 0..<60 {
      switch noise.bits() % 4 {
      case 0:
        let end = Int(noise.bits() % UInt64(reader.tokens.count + 1))
        if reader.blocks.canTruncate(to: end) {
          reader.blocks.truncate(to: end)
          reader.tokens.removeLast(reader.tokens.count - end)
        } else {
          refused += 1
        }
      case 1:
        if noise.bits() % 3 > 0 || snapshots.isEmpty {
          snapshots.append(reader)
        } else {
          reader = snapshots[Int(noise.bits() % UInt64(snapshots.count))]
        }
      default:
        let most = UInt64([3, 90, 400][Int(noise.bits() % 3)])
        let count = min(1 + Int(noise.bits() % most), 1_500 - reader.tokens.count)
        guard count > 0 else { continue }
        let first = Int(noise.bits() % UInt64(3_000 - count))
        let bits = read(first..<first + count, &reader)
        reads += 1
        if reads.isMultiple(of: 3) {
          #expect(bits == fresh(reader.tokens, type), "\(reader.tokens.count) tokens")
        }
      }
    }
    #expect(type.isQuantised ? refused > 0 : refused == 0)
  }

  @Test(arguments: [KVType.int8, .int4])
  func sixtyFourPositionsCanAlwaysBeTakenBack(type: KVType) throws {
    var reader = Reader(blocks: empty(type))
    for position in 0..<700 {
      _ = read(position..<position + 1, &reader)
      #expect(reader.blocks.canTruncate(to: max(0, position - 64)))
      #expect(reader.blocks.canTruncate(to: 0))
      #expect(!reader.blocks.canTruncate(to: (position / 64 + 1) * 64 + 1))
    }
    #expect(!reader.blocks.canTruncate(to: 300))
    reader.blocks.truncate(to: 0)
    reader.tokens = []
    #expect(read(5..<105, &reader) == fresh(Array(5..<105), type))
  }

  @Test func aWindowLimitsHowFarBackReadingCanGo() {
    var blocks = empty(.float16)
    blocks.prepareToWrite(0..<700)
    #expect(blocks.canTruncate(to: 1, window: 100))
    blocks.dropBlocks(before: 600)
    #expect(!blocks.canTruncate(to: 600, window: 100))
    #expect(blocks.canTruncate(to: 675, window: 100))
    #expect(!blocks.canTruncate(to: 674, window: 100))
    #expect(!blocks.canTruncate(to: 700))
  }
}
