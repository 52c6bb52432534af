import Foundation
import Glibc
import ModelLibrary
import Testing

@Suite struct ModelLibraryTests {
  private let scratch: Scratch
  private let library: ModelLibrary

  init() throws {
    let scratch = try Scratch()
    let home = scratch.path
    self.scratch = scratch
    library = ModelLibrary(directories: Directories { $0 == "PIPIT_HOME" ? home : nil })
  }

  @Test func nothingIsInstalledAtFirst() {
    #expect(library.installed().isEmpty)
    #expect(throws: LibraryError.nothingInstalled) { try library.resolve(nil) }
  }

  @Test func ggufFilesAndCheckpointsAreModels() throws {
    try scratch.write("GGUF", to: "models/smol/weights.gguf")
    try scratch.write("{}", to: "models/mlx/config.json")
    try scratch.write("12345678", to: "models/mlx/model.safetensors")
    try scratch.write("", to: "models/empty/notes.txt")
    try scratch.write("", to: "models/.hidden/x.gguf")
    try scratch.write("", to: "models/stray.gguf")
    let models = library.installed()
    #expect(models.map(\.name) == ["mlx", "smol"])
    #expect(models.map(\.form) == [.checkpoint, .gguf])
    #expect(models.map(\.byteCount) == [8, 4])
    #expect(models[1].path == scratch.path + "/models/smol/weights.gguf")
  }

  @Test func aRequestIsANameOrAPath() throws {
    try scratch.write("GGUF", to: "models/smol/weights.gguf")
    try scratch.write("GGUF", to: "elsewhere/own.gguf")
    #expect(try library.resolve("smol").path == scratch.path + "/models/smol/weights.gguf")
    #expect(try library.resolve("SMOL").name == "smol")
    let path = scratch.path + "/elsewhere/own.gguf"
    #expect(try library.resolve(path) == ("own", path))
    #expect(try library.resolve(scratch.path + "/elsewhere/").path == path)
    #expect(throws: LibraryError.noSuchFile(path: "/no/such.gguf")) {
      try library.resolve("/no/such.gguf")
    }
    #expect(throws: LibraryError.notInstalled(name: "smool", nearest: "smol")) {
      try library.resolve("smool")
    }
    #expect(throws: LibraryError.notInstalled(name: "gpt", nearest: nil)) {
      try library.resolve("gpt")
    }
    try scratch.write("GGUF", to: "elsewhere/other.gguf")
    #expect(throws: LibraryError.self) { try library.resolve(scratch.path + "/elsewhere") }
    #expect(throws: LibraryError.notAModel(path: scratch.path)) {
      try library.resolve(scratch.path)
    }
  }

  /// A file that is there and cannot be read is not an empty one: the next change would replace it.
  @Test func anUnreadableConfigurationIsKept() throws {
    try scratch.write("GGUF", to: "models/a/a.gguf")
    try scratch.write("", to: "config.json/inside")
    let error = LibraryError.cannotRead(path: scratch.path + "/config.json", code: EISDIR)
    #expect(throws: error) { try library.resolve(nil) }
    #expect(throws: error) { try library.setDefault("a") }
    #expect(FileManager.default.fileExists(atPath: scratch.path + "/config.json/inside"))
  }

  @Test func withoutARequestTheConfigurationDecidesThenTheOnlyOne() throws {
    try scratch.write("GGUF", to: "models/a/a.gguf")
    #expect(try library.resolve(nil).name == "a")
    #expect(try library.defaultName() == "a")
    try scratch.write("GGUF", to: "models/b/b.gguf")
    #expect(throws: LibraryError.severalInstalled(["a", "b"])) { try library.resolve(nil) }
    _ = try library.setDefault("b")
    #expect(try library.resolve(nil).name == "b")
    try FileManager.default.removeItem(atPath: scratch.path + "/models/b")
    #expect(throws: LibraryError.self) { try library.resolve(nil) }
    #expect(throws: LibraryError.self) { try library.setDefault("b") }
  }

  @Test func theConfigurationKeepsWhatItDoesNotKnow() throws {
    try scratch.write("GGUF", to: "models/a/a.gguf")
    try scratch.write(#"{"future": {"x": [1, 2.5, null, true]}, "model": "z"}"#, to: "config.json")
    _ = try library.setDefault("a")
    let text = try String(contentsOfFile: scratch.path + "/config.json", encoding: .utf8)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(object?["model"] as? String == "a")
    #expect((object?["future"] as? [String: [Any]])?["x"]?.count == 4)
    #expect(try scratch.mode("config.json") == 0o600)
  }

  @Test(arguments: ["[]", "{", #"{"model": 3}"#, "null"])
  func anInvalidConfigurationIsSaidToBe(_ text: String) throws {
    try scratch.write(text, to: "config.json")
    #expect(throws: LibraryError.self) { try library.resolve(nil) }
  }
}
