import Inference
import TestSupport
import Testing
import Weights

/// Everything that a damaged GGUF header leads to before a weight is read: metadata, tokenizer,
/// template, plan.
@Suite struct InspectionFuzzTests {
  @Test(arguments: StateKind.allCases) func damagedHeader(_ kind: StateKind) throws {
    let sound = try MappedFile(path: kind.path)
    let head = try #require(try GGUFFile(sound).tensors.map(\.bytes.offset).min())
    var runs = 0
    let run = try FuzzRun(
      "inspect \(kind.rawValue)", [sound.bytes.array], head: [head], seed: 8, usual: 200, share: 20,
      isExpected: { $0 is WeightsError }
    ) { bytes in
      let inspection = ModelInspection(gguf: try GGUFFile(MappedFile(copying: bytes)))
      if inspection.obstacle == nil { runs += 1 }
    }
    #expect(runs > 0 && run.accepted < run.files)
    #expect(run.isWithinBounds, "\(run)")
  }
}
