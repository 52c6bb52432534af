import Inference
import Testing

@Suite struct PerplexityTests {
  @Test func theSecondHalfOfEachChunkIsPredicted() throws {
    let plan = try PerplexityPlan(Array(0..<1500), beginning: nil, chunkLength: 512)
    #expect(plan.chunkCount == 2)
    #expect(plan.firstPosition == 256)
    #expect(plan.predictions == 255)
    #expect(plan.chunk(0) == Array(0..<512))
    #expect(plan.chunk(1) == Array(512..<1024))
  }

  @Test func theBeginningGoesBeforeTheTextAndTakesTheFirstPlaceOfEachChunk() throws {
    let plan = try PerplexityPlan(Array(10..<17), beginning: 1, chunkLength: 4)
    #expect(plan.chunkCount == 2)
    #expect(plan.chunk(0) == [1, 10, 11, 12])
    #expect(plan.chunk(1) == [1, 14, 15, 16])
    #expect(plan.firstPosition == 2)
    #expect(plan.predictions == 1)
  }

  @Test func oddChunksPredictOneMore() throws {
    let plan = try PerplexityPlan(Array(0..<10), beginning: nil, chunkLength: 5)
    #expect(plan.firstPosition == 2)
    #expect(plan.predictions == 2)
  }

  @Test func tooLittleIsRefused() throws {
    #expect(throws: PerplexityError.textTooShort(tokens: 1023, chunkLength: 512)) {
      try PerplexityPlan(Array(0..<1023), beginning: nil, chunkLength: 512)
    }
    #expect(throws: PerplexityError.chunkTooShort(length: 2, shortest: 3)) {
      try PerplexityPlan(Array(0..<1023), beginning: nil, chunkLength: 2)
    }
    #expect(throws: PerplexityError.self) {
      try PerplexityPlan([1, 2], beginning: nil, chunkLength: .max)
    }
  }

  @Test func theEstimateIsThatOfTheMeanWithItsStandardError() {
    var estimate = PerplexityEstimate()
    #expect(estimate.value == 1)
    estimate.add([2, 2])
    #expect(estimate.standardError == 0)
    estimate.add([1, 3])
    // Mean 2, variance ½ over 4 predictions.
    #expect(estimate.count == 4)
    #expect(abs(estimate.value - 7.38905609893065) < 1e-12)
    #expect(abs(estimate.standardError - 0.408248290463863 * 7.38905609893065) < 1e-12)
  }
}
