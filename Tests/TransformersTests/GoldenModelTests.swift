import Foundation
import Kernels
import TestSupport
import Testing
import Transformers

/// Logits against independent implementations, and greedy tokens wherever the margin allows.
struct GoldenModelTests {
  static let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)

  @Test(arguments: try fixtures.goldenCases(in: "gguf"), [MatmulBackend.blas, .simd])
  func logitsAgree(golden: GoldenCase, backend: MatmulBackend) throws {
    let model = try TestModel(path: Self.fixtures.path("gguf/\(golden.name).gguf"))
    let logits = try model.logits(of: golden.prompt, backend: backend)
    let difference = try golden.difference(of: logits.flatMap { $0 })
    let limit = backend == .blas ? golden.floatLimit : golden.int8Limit
    #expect(difference.isWithin(limit), "\(golden): \(difference), at most \(limit)")

    let certain = backend == .blas ? golden.greedy.count : golden.certainGreedyTokens
    let greedy = try model.greedy(after: golden.prompt, count: certain, backend: backend)
    #expect(greedy == golden.greedy.prefix(certain).map(\.token), "\(golden)")
  }
}
