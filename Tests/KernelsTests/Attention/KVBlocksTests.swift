import Kernels
import Testing

@Suite struct KVBlocksTests {
  private func store(_ value: Float, at position: Int, in blocks: inout KVBlocks) throws {
    let row = FloatRows(Slab([Float](repeating: value, count: 16)), rows: 1, columns: 16)
    blocks.prepareToWrite(position..<position + 1)
    try Compute(threads: 1).store(keys: row, values: row, at: position, in: blocks)
  }

  private func bytes(_ block: KVBlock) -> [UInt8] {
    unsafe block.withBytes { unsafe Array($0) }
  }

  @Test func aCopySharesBlocksUntilItWrites() throws {
    var first = KVBlocks(keyValueHeads: 2, headDimension: 8)
    for position in 0..<130 {
      try store(Float(position), at: position, in: &first)
    }
    #expect(first.positions == 0..<192)
    var second = first
    second.truncate(to: 70)
    #expect(second.blocks.count == 2)
    let before = bytes(first.blocks[1])
    try store(-1, at: 70, in: &second)
    #expect(second.blocks[0] === first.blocks[0])
    #expect(second.blocks[1] !== first.blocks[1])
    #expect(bytes(first.blocks[1]) == before)
    #expect(bytes(second.blocks[1]) != before)
    let own = second.blocks[1]
    try store(-2, at: 71, in: &second)
    #expect(second.blocks[1] !== own, "`own` shares it")
  }

  @Test func byteCountsAreTheSumOfWhatIsHeld() {
    // Keys 64 × 20, values 64 × 32, two heads, two bytes each.
    #expect(KVBlock.byteCount(keyValueHeads: 2, headDimension: 20) == 2 * 64 * 52 * 2)
    #expect(
      KVBlock.byteCount(keyValueHeads: 2, headDimension: 20, type: .float32) == 2 * 64 * 52 * 4)
    var blocks = KVBlocks(keyValueHeads: 2, headDimension: 20)
    #expect(blocks.byteCount == 0)
    blocks.prepareToWrite(0..<65)
    #expect(blocks.byteCount == 2 * 2 * 64 * 52 * 2)
    blocks.truncate(to: 64)
    #expect(blocks.positions == 0..<64)
    blocks.truncate(to: 0)
    #expect(blocks.blocks.isEmpty)
    blocks.truncate(to: 100)
    #expect(blocks.blocks.isEmpty)
  }

  /// Decoding: the old blocks are quantised alone, five to seven have a float16 form.
  @Test(
    arguments: [
      (KVType.int8, 0.55), (.int4, 0.32), (.quantised(keys: .eight, values: .four), 0.44),
      (.quantised(keys: .four, values: .eight), 0.44),
    ], [64, 80, 96, 128, 256])
  func oldBlocksTakeLess(type: (KVType, Double), dimension: Int) throws {
    let bytes = { (type: KVType) in
      KVBlock.byteCount(keyValueHeads: 1, headDimension: dimension, type: type)
    }
    #expect(Double(bytes(type.0)) <= type.1 * Double(bytes(.float16)))
    let compute = try Compute(threads: 1)
    var blocks = KVBlocks(keyValueHeads: 1, headDimension: dimension, type: type.0)
    let row = FloatRows.random(rows: 1, columns: dimension, seed: 1)
    for position in 0..<900 {
      blocks.prepareToWrite(position..<position + 1)
      compute.store(keys: row, values: row, at: position, in: blocks)
      let estimate = KVBlocks.byteCount(
        positions: position + 1, chunk: 1, keyValueHeads: 1, headDimension: dimension,
        type: type.0)
      #expect(blocks.byteCount <= estimate)
    }
    #expect(blocks.blocks.count == 6)
    #expect(blocks.quantisedBlocks.count == 10)
    #expect(blocks.positions == 0..<960)
    #expect(blocks.byteCount == 6 * bytes(.float16) + 10 * bytes(type.0))
  }

  @Test func quantisedBlocksAreSharedAndStayAsTheyAre() throws {
    let compute = try Compute(threads: 1)
    var first = KVBlocks(keyValueHeads: 1, headDimension: 32, type: .int8)
    let rows = FloatRows.random(rows: 700, columns: 32, seed: 1)
    first.prepareToWrite(0..<650)
    compute.store(keys: rows.rows(0..<650), values: rows.rows(0..<650), at: 0, in: first)
    #expect(first.blocks.count == 11)
    let snapshot = first
    let before = snapshot.quantisedBlocks.map(bytes)
    first.prepareToWrite(650..<700)
    compute.store(keys: rows.rows(0..<50), values: rows.rows(0..<50), at: 650, in: first)
    first.freeStoredBlocks(before: 700)
    #expect(first.blocks.count == 6)
    #expect(snapshot.blocks.count == 11)
    #expect(zip(first.quantisedBlocks, snapshot.quantisedBlocks).allSatisfy { $0 === $1 })
    #expect(snapshot.quantisedBlocks.map(bytes) == before)
  }

  @Test func restoredBlocksAreOfUseOnlyInOrder() throws {
    var whole = KVBlocks(keyValueHeads: 1, headDimension: 32, type: .int4)
    let rows = FloatRows.random(rows: 650, columns: 32, seed: 1)
    whole.prepareToWrite(0..<650)
    try Compute(threads: 1).store(keys: rows, values: rows, at: 0, in: whole)
    let restored = { (quantised: [KVBlock], first: Int) in
      KVBlocks(
        keyValueHeads: 1, headDimension: 32, type: .int4, blocks: whole.blocks, from: 0,
        quantisedBlocks: quantised, from: first)
    }
    let raw = KVBlock(keyValueHeads: 1, headDimension: 32, type: .int4)
    let quantised = whole.quantisedBlocks
    #expect(restored(quantised, 0).canTruncate(to: 650))
    #expect(restored([], 0).canTruncate(to: 650))
    #expect(restored(quantised.dropLast() + [raw], 0).canTruncate(to: 650))
    #expect(!restored(Array(quantised.dropFirst()), 1).canTruncate(to: 650))
    #expect(!restored([raw] + quantised.dropFirst(), 0).canTruncate(to: 650))
  }
}
