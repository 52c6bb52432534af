import Kernels
import TestSupport
import Testing
import Transformers

/// Logits against independent implementations, and greedy tokens wherever the margin allows.
struct GoldenModelTests {
  @Test
  func everyFolderHasCases() {
    for folder in GoldenModel.folders {
      #expect(!GoldenModel.models(in: folder).isEmpty, "\(folder)")
    }
  }

  @Test(arguments: GoldenModel.all)
  func theReferenceBackendAgrees(model: GoldenModel) throws {
    let golden = model.golden
    let loaded = try TestModel(path: model.path)
    let logits = try loaded.logits(of: golden.prompt, backend: .blas)
    let difference = try golden.difference(of: logits.flatMap { $0 })
    #expect(difference.isWithin(golden.floatLimit), "\(golden): \(difference)")
    let greedy = try loaded.greedy(
      after: golden.prompt, count: golden.greedy.count, backend: .blas)
    #expect(greedy == golden.greedy.map(\.token), "\(golden)")
  }

  /// With float32 keys and values, so that the limit is about the activations alone.
  @Test(arguments: GoldenModel.all)
  func theDefaultBackendAgreesAsFarAsActivationsOfEightBitsCan(model: GoldenModel) throws {
    let golden = model.golden
    let loaded = try TestModel(path: model.path)
    var state = loaded.transformer.emptyState(context: 512, keysAndValues: .float32)
    let logits = try loaded.read(golden.prompt, into: &state)
    // Rounding can tip a near tie between experts, and then a position is another one's answer.
    let outliers = golden.architecture.contains("moe") ? 1 : 0
    let difference = try golden.difference(of: logits.flatMap { $0 }, outliers: outliers)
    #expect(difference.isWithin(golden.int8Limit), "\(golden): \(difference)")
    let certain = golden.certainGreedyTokens
    let greedy = try loaded.greedy(after: golden.prompt, count: certain, backend: .simd)
    #expect(greedy == golden.greedy.prefix(certain).map(\.token), "\(golden)")
  }
}
