import Foundation
import Testing
import Transformers

/// A family whose file is there but whose name is not in the list would never be found.
struct ArchitectureListTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Transformers/Architectures")

  @Test
  func everyFileIsListed() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.count == Architecture.all.count, "\(files.sorted())")
    for file in files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      let names = Architecture.all.filter { text.contains("name: \"\($0.name)\"") }
      #expect(names.count == 1, "\(file)")
    }
  }

  @Test
  func anUnknownFamilyIsRefusedByName() {
    #expect(throws: ModelError.unknownArchitecture("mamba", known: Architecture.all.map(\.name))) {
      try Architecture.named("mamba", in: .gguf)
    }
  }
}
