import Foundation
import ModelLibrary
import TestSupport
import Testing

/// The model that comes with the program, and its row of the menu.
@Suite struct BundledModelTests {
  private static let name = "pipit-180m-1bit"
  private static let tree = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Catalog/bundled/\(name)").standardized.path

  private let home: ScratchDirectory
  private let library: ModelLibrary
  private var folder: String { library.directories.bundled + "/" + Self.name }

  init() throws {
    home = try ScratchDirectory()
    let path = home.path
    library = ModelLibrary(
      directories: Directories(environment: { $0 == "PIPIT_HOME" ? path : nil }))
    try FileManager.default.createDirectory(
      atPath: library.directories.bundled, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.tree, toPath: folder)
  }

  private func states() throws -> [String: VerifyReport.State] {
    let report = try library.verify(try library.installed(Self.name))
    return Dictionary(uniqueKeysWithValues: report.files.map { ($0.name, $0.state) })
  }

  /// The row's digests are those of the tree: whoever changes a file has to change its row.
  @Test func filesAreThoseOfTheRow() throws {
    let states = try states()
    #expect(states.count == 5)
    #expect(states.values.allSatisfy { $0 == .sound }, "\(states)")
    #expect(!FileManager.default.fileExists(atPath: library.directories.models + "/registry.json"))
  }

  @Test func damageIsFound() throws {
    let path = folder + "/model.safetensors"
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 20_000_000)
    let byte = try #require(try file.read(upToCount: 1))
    try file.seek(toOffset: 20_000_000)
    try file.write(contentsOf: Data([byte[0] ^ 1]))
    try file.close()
    try FileManager.default.removeItem(atPath: folder + "/tokenizer_config.json")
    let states = try states()
    guard case .damaged = states["model.safetensors"] else {
      Issue.record("\(states)")
      return
    }
    #expect(states["tokenizer_config.json"] == .missing)
    #expect(states["config.json"] == .sound)
  }

  @Test func theRowIsFoundByTheModel() throws {
    let choice = try #require(library.catalogChoice(for: Self.name))
    #expect(choice.model.isBundledOnly)
    #expect(choice.variant.byteCount.map { $0 < 44_000_000 && $0 > 41_000_000 } == true)
    try FileManager.default.removeItem(atPath: folder)
    #expect(library.catalogChoice(for: Self.name) == nil)
  }
}
