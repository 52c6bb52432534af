import Foundation
import TestSupport

/// A golden case with the file or folder of its model.
struct GoldenModel: Sendable, CustomStringConvertible {
  let golden: GoldenCase
  let path: String

  var description: String { golden.description }

  private static let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)

  /// Folders of fixtures: see PROVENANCE.md beside them.
  static let folders = ["gguf", "mlx", "own", "hybrid", "moe"]

  static let all: [GoldenModel] = folders.flatMap(models)

  /// A few of each kind, for tests that run every model many times.
  static let some: [GoldenModel] = folders.flatMap { folder in
    models(in: folder).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
  }

  static func models(in folder: String) -> [GoldenModel] {
    let cases = (try? fixtures.goldenCases(in: folder)) ?? []
    return cases.map { golden in
      let path = fixtures.path("\(folder)/\(golden.name)")
      let file = path + ".gguf"
      return GoldenModel(
        golden: golden, path: FileManager.default.fileExists(atPath: file) ? file : path)
    }
  }
}
