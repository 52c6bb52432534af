import Foundation
import JSON
import ModelLibrary
import TestSupport
import Testing

/// Pulling from a Hub laid out like the real one, and what becomes of it.
@Suite struct InstallTests {
  private static let commit = String(repeating: "d", count: 40)
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "TransformersTests/Fixtures").path
  private let scratch: Scratch
  private let hub: FakeHub
  private let library: ModelLibrary

  init() throws {
    scratch = try Scratch()
    hub = try FakeHub()
    let home = scratch.path + "/home"
    library = ModelLibrary(directories: Directories { $0 == "PIPIT_HOME" ? home : nil })
  }

  private func installer(
    _ catalog: String? = nil, offline: Bool = false, cache: String? = nil
  ) throws -> ModelInstaller {
    let values = [
      "HF_ENDPOINT": hub.endpoint, "HOME": scratch.path, "PIPIT_NETWORK_PATIENCE": "1",
      "HF_HUB_CACHE": cache ?? "", "HF_HUB_OFFLINE": offline ? "1" : "",
    ]
    return ModelInstaller(
      library: library, catalog: try catalog.map { try Catalog(Array($0.utf8)) } ?? Catalog(),
      settings: NetworkSettings { values[$0] })
  }

  /// The files of a folder of fixtures, large ones by LFS.
  private static func files(_ folder: String) throws -> JSONValue {
    let names = try FileManager.default.contentsOfDirectory(atPath: fixtures + "/" + folder)
    return .members(
      names.sorted().map { name in
        (
          name,
          [
            "file": .string("\(fixtures)/\(folder)/\(name)"),
            "lfs": .bool(name.hasSuffix(".safetensors") || name == "tokenizer.json"),
          ]
        )
      })
  }

  private func repository(_ files: JSONValue) -> JSONValue {
    ["owner/Name-Repo": ["commit": .string(Self.commit), "licence": "mit", "files": files]]
  }

  private static let gguf = fixtures + "/gguf/llama-q5_1.gguf"

  // MARK: The Hub

  @Test func aGGUFRepositoryIsPulledByItsType() throws {
    try hub.serve(
      repository([
        "README.md": ["text": "hello"],
        "mmproj-F16.gguf": ["size": 1000, "seed": 1, "lfs": true],
        "Name-Q4_K_M.gguf": ["file": .string(Self.gguf), "lfs": true],
        "Name-Q8_0.gguf": ["size": 90_000, "seed": 1, "lfs": true],
      ]))
    let installer = try installer()
    let plan = try installer.plan("hf:owner/Name-Repo")
    #expect(plan.name == "name-repo")
    #expect(plan.licence == "mit")
    #expect(plan.revision == Self.commit)
    #expect(plan.fileCount == 1)
    #expect(plan.byteCount == FetchRig.size(of: Self.gguf))
    let model = try installer.install(plan)
    #expect(model.path == library.directories.models + "/name-repo/Name-Q4_K_M.gguf")
    let entry = try #require(library.registry().registry.entries["name-repo"])
    #expect(entry.source == "hf:owner/Name-Repo")
    #expect(entry.revision == Self.commit)
    #expect(entry.files.count == 1)
    #expect(library.rememberedDigest(of: model.path) == entry.files[0].sha256)
    #expect(entry.files[0].sha256 != nil)
    // A second pull has nothing to do.
    #expect(try installer.plan("hf:owner/Name-Repo").method == .none)
    #expect(
      throws: NetworkError.noSuchQuantisation(
        repository: "owner/Name-Repo", wanted: "Q3_K", known: ["Q4_K_M", "Q8_0"])
    ) { try installer.plan("hf:owner/Name-Repo:Q3_K") }
    #expect(try installer.plan("hf:owner/Name-Repo@main:q8_0").name == "name-repo-q8_0")
    let file = try installer.plan(
      "https://huggingface.co/owner/Name-Repo/blob/main/Name-Q8_0.gguf?download=true")
    #expect(file.name == "name-q8_0" && file.byteCount == 90_000)
    #expect(throws: NetworkError.notFound(what: "x.gguf in owner/Name-Repo")) {
      try installer.plan("https://huggingface.co/owner/Name-Repo/resolve/main/x.gguf")
    }
    #expect(throws: LibraryError.onHub(name: "owner/ok", request: "hf:owner/ok")) {
      try installer.plan("owner/ok")
    }
  }

  @Test func aShardedCheckpointIsPulledWhole() throws {
    try hub.serve(
      repository(
        .members(
          [("README.md", ["text": "hello"]), ("original/model.safetensors", ["text": "x"])]
            + (try Self.files("mlx/qwen3-fp16-sharded").objectValue.map { Array($0) } ?? []))))
    let installer = try installer()
    let plan = try installer.plan("hf:owner/Name-Repo")
    let model = try installer.install(plan)
    #expect(model.form == .checkpoint)
    let names = try FileManager.default.contentsOfDirectory(atPath: model.path).sorted()
    #expect(names.contains("model-00001-of-00002.safetensors"))
    #expect(names.contains("model-00002-of-00002.safetensors"))
    #expect(names.contains("config.json") && names.contains("tokenizer.json"))
    #expect(!names.contains("README.md"))
    #expect(try library.verify(model).isSound)
  }

  @Test func aSplitModelIsPulledWhole() throws {
    var first = GGUFBuilder()
    first.set("general.architecture", .string("llama"))
    first.set("split.no", .int32(0))
    first.set("split.count", .int32(2))
    first.set("split.tensors.count", .int32(2))
    first.addFloats("a", [4], [1, 2, 3, 4])
    var second = GGUFBuilder()
    second.set("split.no", .int32(1))
    second.set("split.count", .int32(2))
    second.addFloats("b", [4], [5, 6, 7, 8])
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/made", withIntermediateDirectories: true)
    var files: [(String, JSONValue)] = []
    for (number, builder) in [first, second].enumerated() {
      let path = scratch.path + "/made/\(number)"
      try Data(builder.bytes()).write(to: URL(filePath: path))
      files.append(
        ("Q4_0/big-Q4_0-0000\(number + 1)-of-00002.gguf", ["file": .string(path), "lfs": true]))
    }
    files.append(("Q8_0/big-Q8_0-00001-of-00002.gguf", ["text": "half of it"]))
    try hub.serve(repository(.members(files)))
    let installer = try installer()
    let plan = try installer.plan("hf:owner/Name-Repo:Q4_0")
    #expect(plan.fileCount == 2)
    let model = try installer.install(plan)
    #expect(model.path.hasSuffix("/big-Q4_0-00001-of-00002.gguf"))
    #expect(model.byteCount == plan.byteCount)
    #expect(try library.resolve("name-repo-q4_0").path == model.path)
    // Half of a model is none.
    #expect(throws: NetworkError.self) { try installer.plan("hf:owner/Name-Repo:Q8_0") }
  }

  @Test func whatIsNoModelIsNotInstalled() throws {
    try hub.serve(repository(["x-Q4_0.gguf": ["size": 70_000, "seed": 1, "lfs": true]]))
    let installer = try installer()
    let plan = try installer.plan("hf:owner/Name-Repo")
    #expect(throws: (any Error).self) { try installer.install(plan) }
    #expect(library.installed().isEmpty)
    try hub.serve(repository(["README.md": ["text": "hello"]]))
    #expect {
      try installer.plan("hf:owner/Name-Repo")
    } throws: {
      if case NetworkError.notRunnable = $0 { true } else { false }
    }
  }

  @Test func namesFromTheHubAreSafe() throws {
    try hub.serve(repository(["a/..\u{7}-Q4_0.gguf": ["size": 1000, "seed": 1, "lfs": true]]))
    #expect {
      try installer().plan("hf:owner/Name-Repo")
    } throws: {
      if case NetworkError.unsafeName = $0 { true } else { false }
    }
  }

  @Test(arguments: [
    "hf:", "hf:owner", "hf:a/b/c", "hf:../x", "hf:a/b@", "hf:a/b:", "hf:a/b@../x", "hf:a b/c",
  ])
  func referencesAreChecked(_ text: String) {
    #expect(throws: NetworkError.badReference(text)) { try HubReference(text) }
  }

  @Test(arguments: [
    "https://huggingface.co/o/ok", "https://huggingface.co/o/ok/", "http://huggingface.co/o/ok?a=b",
    "huggingface.co/o/ok", "https://hf.co/o/ok/tree/main", "https://HuggingFace.co/o/ok#files",
  ])
  func addressesAreReferences(_ text: String) throws {
    #expect(HubReference.isReference(text))
    #expect(try HubReference(text) == HubReference("hf:o/ok"))
  }

  @Test func addressesOfFilesAndRevisionsAreTakenApart() throws {
    let tree = try HubReference("https://huggingface.co/o/ok/tree/v2")
    #expect(tree.revision == "v2" && tree.file == nil)
    let file = try HubReference("https://huggingface.co/o/ok/resolve/main/a/b-Q4_0.gguf")
    #expect(file.revision == nil && file.file == "a/b-Q4_0.gguf")
    for text in [
      "https://example.com/o/ok", "https://huggingface.co/o",
      "https://huggingface.co/o/ok/commits/x",
      "https://huggingface.co/datasets/o/ok", "https://huggingface.co/o/ok/tree/../x",
    ] {
      #expect(HubReference.isReference(text))
      #expect(throws: NetworkError.badReference(text)) { try HubReference(text) }
    }
  }

  @Test func missingAndGatedRepositoriesAreSaid() throws {
    try hub.serve([
      "owner/gated": [
        "commit": .string(Self.commit), "gated": true,
        "files": ["x-Q4_0.gguf": ["file": .string(Self.gguf), "lfs": true]],
      ]
    ])
    let installer = try installer()
    #expect(
      throws: NetworkError.denied(
        what: "repository owner/none", status: 401, hasToken: false)
    ) { try installer.plan("hf:owner/none") }
    let plan = try installer.plan("hf:owner/gated")
    #expect(
      throws: NetworkError.denied(
        what: "x-Q4_0.gguf in owner/gated", status: 401, hasToken: false)
    ) { try installer.install(plan) }
    #expect(throws: NetworkError.notFound(what: "repository owner/gated at v9")) {
      try installer.plan("hf:owner/gated@v9")
    }
  }

  @Test func searchesFindWhatCanBePulled() throws {
    try hub.serve([
      "a/tiny-GGUF": [
        "commit": .string(Self.commit), "downloads": 5, "tags": ["gguf"],
        "files": [
          "tiny-Q4_0.gguf": ["size": 1000, "seed": 1, "lfs": true],
          "tiny-UD-Q8_0.gguf": ["size": 2000, "seed": 1, "lfs": true],
        ],
      ],
      "b/tiny-mlx": [
        "commit": .string(Self.commit), "downloads": 50, "tags": ["mlx"],
        "files": try Self.files("mlx/qwen3-fp16-sharded"),
      ],
      "c/tiny-empty": ["commit": .string(Self.commit), "tags": ["gguf"], "files": [:]],
      "d/other": ["commit": .string(Self.commit), "tags": ["gguf"], "files": [:]],
    ])
    let results = try HubSearch(try installer().settings).results(for: "tiny", limit: 10)
    #expect(results.map(\.repository) == ["b/tiny-mlx", "a/tiny-GGUF"])
    #expect(results[1].forms.map(\.name) == ["Q4_0", "UD-Q8_0"])
    #expect(results[1].forms.map(\.byteCount) == [1000, 2000])
    #expect(results[0].forms.map(\.name) == ["safetensors"])
  }

  // MARK: Other sources

  private func catalog(_ sources: JSONValue) -> String {
    let text = CatalogTests.text(name: "row")
    let start = text.range(of: "\"sources\": [")?.lowerBound ?? text.endIndex
    return text[..<start] + "\"sources\": " + sources.text + "}]}]}"
  }

  @Test func aRowNamesItsFiles() throws {
    let digests = try hub.serve(
      repository(["deep/model.gguf": ["file": .string(Self.gguf), "lfs": true]]))
    let digest = try #require(digests["owner/Name-Repo/deep/model.gguf"])
    func row(_ sha256: String) -> String {
      catalog([
        [
          "kind": "huggingface", "repository": "owner/Name-Repo",
          "files": [["path": "deep/model.gguf", "sha256": .string(sha256)]],
        ]
      ])
    }
    let installer = try installer(row(digest))
    let model = try installer.install(try installer.plan("row"))
    #expect(model.name == "row")
    #expect(library.catalogChoice(for: "row") == nil)  // not in the built-in menu
    let entry = try #require(library.registry().registry.entries["row"])
    #expect(entry.catalogName == "row" && entry.licence == "MIT")
    _ = try library.remove("row")
    // The publisher replaced the file: said before anything is fetched.
    let other = try self.installer(row(String(repeating: "b", count: 64)))
    #expect(throws: NetworkError.changed(file: "deep/model.gguf")) { try other.plan("row") }
  }

  @Test func anotherSourceServesWhenTheFirstDoesNot() throws {
    let digests = try hub.serve(repository(["m.gguf": ["file": .string(Self.gguf), "lfs": true]]))
    let text = catalog([
      ["kind": "huggingface", "repository": "owner/gone"],
      [
        "kind": "url",
        "files": [
          [
            "path": "m.gguf",
            "url": .string("\(hub.elsewhere)/cdn/owner/Name-Repo/resolve/main/m.gguf"),
            "sha256": .string(try #require(digests["owner/Name-Repo/m.gguf"])),
          ]
        ],
      ],
    ])
    let installer = try installer(text)
    let model = try installer.install(try installer.plan("row"))
    #expect(model.byteCount == FetchRig.size(of: Self.gguf))
  }

  @Test func aFileOfThisMachineIsUsedWhereItIs() throws {
    let installer = try installer(
      catalog([["kind": "file", "files": [["path": .string(Self.gguf)]]]]), offline: true)
    let model = try installer.install(try installer.plan("row"))
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: model.path)
    #expect(link == Self.gguf)
    #expect(try library.verify(model).isSound)
  }

  @Test func aFileThatIsAnotherIsRefused() throws {
    let installer = try installer(
      catalog([
        [
          "kind": "file",
          "files": [
            ["path": .string(Self.gguf), "sha256": .string(String(repeating: "0", count: 64))]
          ],
        ]
      ]))
    let plan = try installer.plan("row")
    #expect {
      try installer.install(plan)
    } throws: {
      if case NetworkError.digest = $0 { true } else { false }
    }
    #expect(library.installed().isEmpty)
  }

  @Test func theHubsOwnCacheIsUsedInPlace() throws {
    let files = repository(["Name-Q4_0.gguf": ["file": .string(Self.gguf), "lfs": true]])
    let digest = try #require(try hub.serve(files)["owner/Name-Repo/Name-Q4_0.gguf"])
    let cache = scratch.path + "/hub"
    let place = cache + "/models--owner--Name-Repo"
    let snapshot = place + "/snapshots/" + Self.commit
    let manager = FileManager.default
    try manager.createDirectory(atPath: snapshot, withIntermediateDirectories: true)
    try manager.createDirectory(atPath: place + "/blobs", withIntermediateDirectories: true)
    try manager.createDirectory(atPath: place + "/refs", withIntermediateDirectories: true)
    try manager.copyItem(atPath: Self.gguf, toPath: place + "/blobs/" + digest)
    try manager.createSymbolicLink(
      atPath: snapshot + "/Name-Q4_0.gguf", withDestinationPath: "../../blobs/" + digest)
    try Data(Self.commit.utf8).write(to: URL(filePath: place + "/refs/main"))

    let installer = try installer(offline: true, cache: cache)
    let plan = try installer.plan("hf:owner/Name-Repo")
    guard case .inPlace = plan.method else {
      Issue.record("\(plan.method)")
      return
    }
    let model = try installer.install(plan)
    #expect(try hub.log().isEmpty)
    #expect(
      try manager.destinationOfSymbolicLink(atPath: model.path) == snapshot + "/Name-Q4_0.gguf")
    // A file there that is damaged is not taken.
    _ = try library.remove(model.name)
    let handle = try #require(FileHandle(forUpdatingAtPath: place + "/blobs/" + digest))
    try handle.seek(toOffset: 5000)
    try handle.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
    try handle.close()
    let again = try installer.plan("hf:owner/Name-Repo")
    #expect(throws: NetworkError.self) { try installer.install(again) }
    #expect(library.installed().isEmpty)
  }

  @Test func offlineIsRefusedBeforeAnything() throws {
    try hub.serve(repository(["m.gguf": ["text": "x"]]))
    let installer = try installer(offline: true)
    #expect(throws: NetworkError.offline("Pulling name-repo", by: "HF_HUB_OFFLINE")) {
      try installer.plan("hf:owner/Name-Repo")
    }
    #expect(throws: NetworkError.offline("A search", by: "HF_HUB_OFFLINE")) {
      try HubSearch(installer.settings).results(for: "x", limit: 5)
    }
    #expect(try hub.log().isEmpty)
  }

  /// The rest of the files comes later, and until then there is no model.
  @Test func aPullThatWasStoppedGoesOn() throws {
    let files = try Self.files("mlx/qwen3-fp16-sharded").objectValue ?? JSONObject()
    try hub.serve(
      repository(.object(files)),
      faults: [
        [
          "match": "model-00002-of-00002.safetensors", "server": "cdn", "kind": "status",
          "code": 500, "times": -1,
        ]
      ])
    let installer = try installer()
    let plan = try installer.plan("hf:owner/Name-Repo")
    #expect(throws: NetworkError.self) { try installer.install(plan) }
    #expect(library.installed().isEmpty)
    #expect(library.leftovers().map(\.kind) == [.unfinished])
    try hub.serve(repository(.object(files)))
    _ = try installer.install(plan)
    let sent = try hub.log().filter { $0.sent > 0 }.map(\.path)
    #expect(sent.contains { $0.hasSuffix("model-00002-of-00002.safetensors") })
    #expect(!sent.contains { $0.hasSuffix("model-00001-of-00002.safetensors") })
    #expect(library.leftovers().isEmpty)
  }
}
