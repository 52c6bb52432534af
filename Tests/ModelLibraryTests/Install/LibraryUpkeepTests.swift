import Foundation
import ModelLibrary
import Testing

/// Adding, removing, verifying and keeping the record.
@Suite struct LibraryUpkeepTests {
  private static let gguf = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "TransformersTests/Fixtures/gguf/llama-q5_1.gguf").path
  private let scratch: Scratch
  private let library: ModelLibrary
  private let manager = FileManager.default

  init() throws {
    scratch = try Scratch()
    let home = scratch.path + "/home"
    library = ModelLibrary(directories: Directories { $0 == "PIPIT_HOME" ? home : nil })
    try manager.copyItem(atPath: Self.gguf, toPath: scratch.path + "/Own Model.gguf")
  }

  private var own: String { scratch.path + "/Own Model.gguf" }
  private var record: String { library.directories.models + "/registry.json" }

  // MARK: Adding

  @Test func filesAreUsedInPlace() throws {
    let model = try library.add(own, as: nil, .inPlace)
    #expect(model.name == "own-model")
    #expect(try manager.destinationOfSymbolicLink(atPath: model.path) == own)
    #expect(library.condition(of: model, library.registry().registry.entries[model.name]) == .sound)
    #expect(throws: LibraryError.nameTaken(name: "own-model")) {
      try library.add(own, as: nil, .inPlace)
    }
  }

  @Test func hardLinksAndCopiesOnRequest() throws {
    let linked = try library.add(own, as: "linked", .hardLink)
    let copied = try library.add(own, as: "copied", .copy)
    func inode(_ path: String) throws -> Int? {
      (try manager.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?.intValue
    }
    #expect(try inode(linked.path) == inode(own))
    #expect(try inode(copied.path) != inode(own))
    #expect(
      try Data(contentsOf: URL(filePath: copied.path)) == Data(contentsOf: URL(filePath: own)))
  }

  @Test func whatIsNoModelIsNotAdded() throws {
    try scratch.write("GGUF but no more", to: "broken.gguf")
    #expect(throws: (any Error).self) {
      try library.add(scratch.path + "/broken.gguf", as: nil, .inPlace)
    }
    #expect(throws: LibraryError.noSuchFile(path: "/no/such")) {
      try library.add("/no/such", as: nil, .inPlace)
    }
    #expect(throws: LibraryError.badName("../x")) { try library.add(own, as: "../x", .inPlace) }
    #expect(library.installed().isEmpty)
    #expect(library.leftovers().isEmpty)
  }

  /// Not what it is called on its way into the library.
  @Test func aRefusalNamesTheUsersFile() throws {
    try scratch.write("GGUF but no more", to: "broken.gguf")
    try manager.copyItem(atPath: own, toPath: scratch.path + "/model.bin")
    for name in ["broken.gguf", "model.bin"] {
      #expect {
        try library.add(scratch.path + "/" + name, as: nil, .inPlace)
      } throws: {
        "\($0)".contains(scratch.path + "/" + name) && !"\($0)".contains(".incoming")
      }
    }
  }

  /// A record that cannot be written, as on a full disk: nothing is installed half.
  @Test func whatCannotBeRegisteredIsNotInstalled() throws {
    try scratch.write("", to: "home/models/registry.json.part/in-the-way")
    #expect(throws: LibraryError.self) { try library.add(own, as: "m", .copy) }
    #expect(library.installed().isEmpty)
    #expect(library.leftovers().isEmpty)
    try manager.removeItem(atPath: record + ".part")
    #expect(try library.add(own, as: "m", .copy).name == "m")
  }

  // MARK: Removing

  @Test func aRemovedModelCanBeBroughtBackUntilItIsPurged() throws {
    let model = try library.add(own, as: "m", .copy)
    _ = try library.verify(model)
    let entry = library.registry().registry.entries["m"]
    _ = try library.remove("m")
    #expect(library.installed().isEmpty)
    #expect(throws: LibraryError.self) { try library.resolve("m") }
    #expect(try library.restore("m").path == model.path)
    #expect(library.registry().registry.entries["m"] == entry)
    _ = try library.remove("m")
    let leftovers = library.leftovers()
    #expect(leftovers.map(\.name) == ["m"])
    #expect(leftovers[0].byteCount > 0)
    for item in leftovers { try library.purge(item) }
    #expect(throws: LibraryError.nothingToRestore(name: "m")) { try library.restore("m") }
    #expect(manager.fileExists(atPath: own))
  }

  @Test func removingWhatIsUsedInPlaceLeavesTheFile() throws {
    _ = try library.add(own, as: "m", .inPlace)
    _ = try library.remove("m")
    for item in library.leftovers() { try library.purge(item) }
    #expect(manager.fileExists(atPath: own))
  }

  @Test func aNameThatIsTakenMeanwhileIsNotOverwritten() throws {
    _ = try library.add(own, as: "m", .copy)
    _ = try library.remove("m")
    _ = try library.add(own, as: "m", .inPlace)
    #expect(throws: LibraryError.nameTaken(name: "m")) { try library.restore("m") }
  }

  // MARK: Verifying

  @Test func damageIsFound() throws {
    let model = try library.add(own, as: "m", .copy)
    #expect(try library.verify(model).files[0].state == .recorded)
    #expect(try library.verify(model).files[0].state == .sound)
    let handle = try #require(FileHandle(forUpdatingAtPath: model.path))
    let end = try handle.seekToEnd()
    try handle.seek(toOffset: end - 100)
    try handle.write(contentsOf: Data([9, 9, 9, 9]))
    try handle.close()
    #expect(library.condition(of: model, library.registry().registry.entries["m"]) == .changed)
    let report = try library.verify(model)
    #expect(!report.isSound)
    guard case .damaged = report.files[0].state else {
      Issue.record("\(report.files)")
      return
    }
    // What is damaged is not remembered as right.
    #expect(try !library.verify(model).isSound)
    try manager.removeItem(atPath: model.path)
    #expect(throws: LibraryError.notInstalled(name: "m", nearest: nil)) {
      try library.verify(model)
    }
  }

  /// What cannot be written down is said, and no reason not to look.
  @Test func aLibraryThatCannotBeWrittenIsVerified() throws {
    let model = try library.add(own, as: "m", .copy)
    let lock = library.directories.models + "/.registry.lock"
    try manager.removeItem(atPath: lock)
    try manager.createDirectory(atPath: lock, withIntermediateDirectories: false)
    let report = try library.verify(model)
    #expect(report.isSound)
    #expect(report.files.map(\.state) == [.unrecorded])
    try manager.removeItem(atPath: lock)
    #expect(try library.verify(model).files[0].state == .recorded)
  }

  // MARK: The record

  @Test func aDamagedRecordIsSetAsideAndMadeAnew() throws {
    _ = try library.add(own, as: "m", .copy)
    try Data("{\"schema\": 1, \"models\": [{\"na".utf8).write(to: URL(filePath: record))
    let (registry, notes) = library.registry()
    #expect(registry.entries.keys.sorted() == ["m"])
    guard case .rebuilt(let aside, _)? = notes.first else {
      Issue.record("\(notes)")
      return
    }
    #expect(manager.fileExists(atPath: aside))
    let (again, more) = library.registry()
    #expect(again == registry && more.isEmpty)
  }

  @Test func theRecordCanBeThrownAway() throws {
    _ = try library.add(own, as: "m", .copy)
    try manager.removeItem(atPath: record)
    let (registry, notes) = library.registry()
    #expect(registry.entries["m"]?.files.map(\.name) == ["Own Model.gguf"])
    #expect(notes.isEmpty)
  }

  @Test func deletionByHandIsNoticedOnce() throws {
    _ = try library.add(own, as: "m", .copy)
    _ = try library.add(own, as: "n", .copy)
    try manager.removeItem(atPath: library.directories.models + "/m")
    #expect(library.registry().notes == [.gone(["m"])])
    #expect(library.registry().notes.isEmpty)
    #expect(library.installed().map(\.name) == ["n"])
  }

  @Test func modelsPutThereByHandAreTakenIn() throws {
    try scratch.write("", to: "home/models/.keep")
    try manager.createDirectory(
      atPath: library.directories.models + "/own", withIntermediateDirectories: true)
    try manager.copyItem(
      atPath: own, toPath: library.directories.models + "/own/SmolLM2-135M-Instruct.Q4_1.gguf")
    let entry = try #require(library.registry().registry.entries["own"])
    // The name is that of a row, the size is not.
    #expect(entry.catalogName == nil)
    #expect(manager.fileExists(atPath: record))
  }

  @Test func digestsAreRememberedForTheVeryFile() throws {
    let model = try library.add(own, as: "m", .copy)
    #expect(library.rememberedDigest(of: model.path) == nil)
    _ = try library.verify(model)
    let digest = library.rememberedDigest(of: model.path)
    #expect(digest?.count == 64)
    try manager.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: model.path)
    #expect(library.rememberedDigest(of: model.path) == nil)
  }
}
