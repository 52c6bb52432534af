import Foundation
import Inference
import ModelLibrary
import Testing

@Suite struct CatalogTests {
  private static func empty() throws -> (Scratch, Directories) {
    let scratch = try Scratch()
    let home = scratch.path
    return (scratch, Directories { $0 == "PIPIT_HOME" ? home : nil })
  }

  @Test func theMenuIsWhatTheSchemaSays() throws {
    let (scratch, directories) = try Self.empty()
    let (catalog, problems) = Catalog.load(directories)
    #expect(problems.isEmpty, "\(problems.map(\.description))")
    for name in [
      "bonsai-27b", "bonsai-8b", "bonsai-4b", "bonsai-1.7b", "qwen3.5-0.8b", "qwen3.5-2b",
      "qwen3.5-4b", "qwen3.5-9b", "qwen3.6-27b", "qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b",
      "qwen2.5-0.5b", "qwen2.5-coder-0.5b", "smollm2-135m", "smollm2-360m", "gemma-3-270m",
      "gemma-3-1b", "llama-3.2-1b", "llama-3.2-3b", "deepseek-r1-qwen-1.5b", "deepseek-r1-qwen-7b",
      "qwen3-30b-a3b", "qwen3.6-35b-a3b",
    ] {
      #expect(catalog.model(name) != nil, "\(name)")
    }
    for name in catalog.recommended { #expect(catalog.model(name) != nil, "\(name)") }
    let biggest = try #require(catalog.model("bonsai-27b"))
    #expect(biggest.overrides == LoadOverrides(contextLength: 8192, keyValueBits: .four))
    #expect(biggest.shape.fullAttentionLayers == 16)
    withExtendedLifetime(scratch) {}
  }

  /// The numbers of a row are those of its files: a wrong layer count would not add up to their size.
  @Test func numbersOfParametersAgreeWithTheFiles() throws {
    let (scratch, directories) = try Self.empty()
    for model in Catalog.load(directories).catalog.models {
      for variant in model.variants {
        guard let bytes = variant.byteCount ?? variant.approximateByteCount else { continue }
        let expected = Double(model.shape.parameterCount) * variant.bits / 8
        let ratio = Double(bytes) / expected
        #expect((0.9...1.35).contains(ratio), "\(model.name):\(variant.name) \(ratio)")
      }
    }
    withExtendedLifetime(scratch) {}
  }

  @Test func onlyTheNumberOfActiveParametersIsForShow() throws {
    let (scratch, directories) = try Self.empty()
    let model = try #require(Catalog.load(directories).catalog.model("qwen3-30b-a3b"))
    #expect(model.activeParameters == 3_300_000_000)
    #expect((30_000_000_000...31_000_000_000).contains(model.shape.parameterCount))
    withExtendedLifetime(scratch) {}
  }

  @Test func aUsersCatalogAddsAndReplaces() throws {
    let (scratch, directories) = try Self.empty()
    try scratch.write(Self.text(name: "mine"), to: "catalog.d/a.json")
    try scratch.write(Self.text(name: "smollm2-135m"), to: "catalog.d/b.json")
    try scratch.write("{", to: "catalog.d/c.json")
    try scratch.write(#"{"schema": 2}"#, to: "catalog.d/d.json")
    try scratch.write("no catalog", to: "catalog.d/notes.txt")
    let (catalog, problems) = Catalog.load(directories)
    #expect(catalog.model("mine")?.title == "A title")
    #expect(catalog.model("smollm2-135m")?.title == "A title")
    #expect(catalog.models[0].name == "smollm2-135m")
    #expect(catalog.models.last?.name == "mine")
    #expect(problems.count == 2)
    #expect(problems[1].description.contains("schema is 2"))
  }

  @Test func requestsNameARowAndAVariant() throws {
    let (scratch, directories) = try Self.empty()
    let catalog = Catalog.load(directories).catalog
    #expect(try catalog.choice("bonsai-8b").installName == "bonsai-8b")
    let ternary = try catalog.choice("Bonsai-8B:Ternary")
    #expect(ternary.installName == "bonsai-8b-ternary")
    #expect(catalog.choice(installedAs: "bonsai-8b-ternary") == ternary)
    #expect(throws: LibraryError.notInCatalog(name: "bonsay-8b", nearest: "bonsai-8b")) {
      try catalog.choice("bonsay-8b")
    }
    #expect(throws: LibraryError.self) { try catalog.choice("bonsai-8b:q9") }
    withExtendedLifetime(scratch) {}
  }

  static func text(name: String, replacing: (String, String) = ("", "")) -> String {
    let text = """
      {"schema": 1, "models": [{"name": "\(name)", "title": "A title", "family": "F",
      "publisher": "P", "licence": "MIT", "context": 4096, "thinking": "none",
      "architecture": {"name": "llama", "layers": 2, "full_attention_layers": 2, "hidden": 64,
      "feed_forward": 128, "heads": 2, "key_value_heads": 1, "head_dimension": 32,
      "vocabulary": 100, "tied": true},
      "variants": [{"name": "v", "format": "gguf", "bits": 4.5, "sources": [{"kind": "url", "files":
      [{"path": "m.gguf", "url": "http://h/m.gguf", "bytes": 9000,
      "sha256": "\(String(repeating: "a", count: 64))"}]}]}]}]}
      """
    return replacing.0.isEmpty ? text : text.replacing(replacing.0, with: replacing.1)
  }

  @Test(arguments: [
    (#""thinking": "none""#, #""thinking": "maybe""#, "thinking is none of"),
    (#""title": "A title""#, #""titel": "A title""#, "titel is not known"),
    (#""layers": 2, "full"#, #""layers": 3, "full"#, "are 3, but 2 by kind"),
    (#""hidden": 64"#, #""hidden": 64.5"#, "hidden is not a whole number"),
    (#""hidden": 64"#, #""hidden": -1"#, "hidden is -1"),
    (#""bits": 4.5"#, #""bits": 99"#, "bits is not a number"),
    (#""path": "m.gguf""#, #""path": "../.m.gguf""#, "no safe file name"),
    ("aaaaaaaa\"", "AAAAAAAA\"", "is not 64 hexadecimal digits"),
    (#""kind": "url""#, #""kind": "ftp""#, "kind is none of"),
    (#""bytes": 9000"#, #""bytes": 9000, "chunks": {"bytes": 4096, "sha256": []}"#, "are 0"),
    (#""name": "x""#, #""name": "X Y""#, "has characters other"),
  ])
  func faultsAreNamed(_ part: String, _ other: String, _ problem: String) {
    let text = Self.text(name: "x", replacing: (part, other))
    do {
      _ = try Catalog(Array(text.utf8))
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(problem), "\(error)")
    }
  }

  @Test func theExampleItselfIsSound() throws {
    #expect(try Catalog(Array(Self.text(name: "x").utf8)).models.count == 1)
  }
}
