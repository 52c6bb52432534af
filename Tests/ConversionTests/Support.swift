import Conversion
import Foundation
import JSON
import Testing
import TestSupport
import Weights

let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)

/// The golden GGUF models of another target, which are sources here.
let goldenModels = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "TransformersTests/Fixtures")

/// Converts into a fresh folder.
struct Conversion {
  let scratch: ScratchDirectory
  let plan: ConversionPlan
  var output: String { scratch.path + "/out" }

  init(_ source: String, _ choice: QuantisationChoice = .usual, threads: Int = 2) throws {
    scratch = try ScratchDirectory()
    plan = try ConversionPlan(path: source, choice: choice)
    try Converter(plan, threads: threads).write(to: output)
  }

  func file(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(output)/\(name)")))
  }

  func json(_ name: String) throws -> JSONValue { try JSONReader.read(file(name)) }
}

/// Expects two checkpoints to hold the same tensors, whatever their order.
func expectSameTensors(
  _ path: String, _ expectedPath: String, isFromGGUF: Bool = false
) throws {
  let found = try SafetensorsCheckpoint(path: path)
  let expected = try SafetensorsCheckpoint(path: expectedPath)
  #expect(found.tensorNames.sorted() == expected.tensorNames.sorted())
  for name in expected.tensorNames where found.contains(name) {
    let (mine, theirs) = (try found.tensor(name), try expected.tensor(name))
    #expect(mine.typeName == theirs.typeName, "\(name)")
    #expect(mine.shape == theirs.shape, "\(name)")
    // GGUF has −exp of it in float32, from which the last bit cannot be told.
    if isFromGGUF, name.hasSuffix("A_log") {
      for (left, right) in zip(try found.vector(name), try expected.vector(name)) {
        #expect(abs(left - right) <= 2 * right.ulp + 1.2e-7, "\(name)")
      }
      continue
    }
    let (left, right) = (mine.bytes.array, theirs.bytes.array)
    let different = zip(left, right).count { $0 != $1 }
    #expect(left == right, "\(name): \(different) of \(right.count) bytes differ")
  }
}

extension JSONValue {
  /// The same with every object's keys in order, so that order makes no difference.
  var sorted: JSONValue {
    switch self {
    case .object(let object):
      .members(Array(object).map { ($0.0, $0.1.sorted) }.sorted { $0.0 < $1.0 })
    case .array(let values): .array(values.map(\.sorted))
    case .integer(let value): .number(Double(value))
    default: self
    }
  }
}
