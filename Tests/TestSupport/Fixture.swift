package import FoundationEssentials

/// The fixtures of one test target.
package struct Fixtures: Sendable {
  private let directory: URL

  /// Fixtures copied into `bundle` under `Fixtures/`.
  package init(bundlePath: String) {
    directory = URL(filePath: bundlePath).appending(path: "Fixtures")
  }

  /// The path of a fixture.
  package func path(_ name: String) -> String {
    directory.appending(path: name).path
  }

  /// The bytes of a fixture.
  package func data(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appending(path: name))
  }

  /// The paths below `folder` that end in `suffix`, sorted.
  package func paths(in folder: String, endingIn suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path(folder))
      .filter { $0.hasSuffix(suffix) }
      .sorted()
      .map { path(folder + "/" + $0) }
  }

  /// The golden cases below `folder`, by name.
  package func goldenCases(in folder: String) throws -> [GoldenCase] {
    try paths(in: folder, endingIn: ".expect.json").map { try GoldenCase(path: $0) }
  }
}
