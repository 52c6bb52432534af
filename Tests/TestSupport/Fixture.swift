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
}
