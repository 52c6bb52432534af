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
}
