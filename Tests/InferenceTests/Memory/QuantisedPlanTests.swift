import Inference
import Kernels
import Testing

/// The plan of quantised keys and values is what their blocks take.
struct QuantisedPlanTests {
  @Test(arguments: KVType.allCases.filter(\.isQuantised), [1, 64, 200, 256])
  func isTheSumOfTheBlocks(type: KVType, chunk: Int) {
    let bytes = { (type: KVType) in
      KVBlock.byteCount(keyValueHeads: 2, headDimension: 80, type: type)
    }
    let plan = MemoryPlan(
      fixed: MemoryNeed(),
      layers: [
        .init(
          count: 3, bytesPerBlock: bytes(type),
          newest: .init(
            most: KVBlocks.mostStoredBlocks(chunk: chunk), alone: KVBlocks.quantisedDistance,
            bytesPerBlock: bytes(.float16)))
      ])
    for positions in [0, 1, 64, 65, 320, 321, 600, 640, 5_000, 100_000] {
      let blocks = KVBlocks.byteCount(
        positions: positions, chunk: chunk, keyValueHeads: 2, headDimension: 80, type: type)
      #expect(plan.need(positions: positions).keyValue == 3 * blocks, "\(positions)")
    }
  }

  @Test func neverShrinksAsTheContextGrows() {
    let plan = MemoryPlan(
      fixed: MemoryNeed(),
      layers: [
        .init(
          count: 1, bytesPerBlock: 300, longest: 900,
          newest: .init(most: 10, alone: 5, bytesPerBlock: 1000))
      ])
    let needs = (0...2000).map { plan.need(positions: $0).keyValue }
    #expect(zip(needs, needs.dropFirst()).allSatisfy(<=))
    #expect(needs.last == 10 * 1000 + 10 * 300)
  }
}
