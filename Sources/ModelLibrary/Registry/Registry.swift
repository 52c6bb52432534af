import JSON
import Weights

/// What is known of the installed models beside their files: where they came from, and their digests.
///
/// The files are the truth; this is what would otherwise have to be found out again.
package struct Registry: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    /// The row of the menu it came from, and its variant.
    package var catalogName: String?
    package var variant: String?
    /// Where it came from, in words: `hf:owner/name`, a path.
    package var source: String?
    /// The commit it was taken from.
    package var revision: String?
    package var licence: String?
    /// Seconds since 1970.
    package var installed: Int?
    package var files: [File]

    package init(
      catalogName: String? = nil, variant: String? = nil, source: String? = nil,
      revision: String? = nil, licence: String? = nil, installed: Int? = nil, files: [File] = []
    ) {
      self.catalogName = catalogName
      self.variant = variant
      self.source = source
      self.revision = revision
      self.licence = licence
      self.installed = installed
      self.files = files
    }
  }

  package struct File: Sendable, Hashable {
    package var name: String
    package var byteCount: Int
    /// Nil until it was first computed.
    package var sha256: String?
    /// The file as it was when the digest was right: device, inode, size, time of change.
    package var identity: String?

    package init(name: String, byteCount: Int, sha256: String? = nil, identity: String? = nil) {
      self.name = name
      self.byteCount = byteCount
      self.sha256 = sha256
      self.identity = identity
    }
  }

  /// By the name of the model.
  package var entries: [String: Entry] = [:]

  package init() {}
}

extension Registry.File {
  /// What a file is now, in the form of `identity`; nil if there is none.
  static func identity(of path: String) -> String? {
    FileIdentity(path: path).map { "\($0.device) \($0.inode) \($0.size) \($0.modified)" }
  }
}

extension Registry {
  private static let schema = 1

  /// - Throws: `JSONError`, `FieldError`.
  init(_ bytes: [UInt8]) throws {
    let fields = try Fields(try JSONReader.read(bytes), place: "")
    _ = try fields.count("schema", in: Self.schema...Self.schema)
    for row in try fields.objects("models") {
      let name = try row.text("name")
      entries[name] = try Entry(row)
    }
  }

  var text: String {
    let rows = entries.sorted { $0.key < $1.key }.map { name, entry in
      JSONValue.members([("name", .string(name))] + entry.members)
    }
    return JSONValue.members([
      ("schema", .integer(Self.schema)), ("models", .array(rows)),
    ]).indentedText + "\n"
  }
}

extension Registry.Entry {
  private static let most = 1 << 60

  init(_ row: Fields) throws(FieldError) {
    var files: [Registry.File] = []
    for file in try row.objects("files") {
      let digest = try file.optionalText("sha256")
      guard digest.map(DigestValue.isSHA256) ?? true else {
        throw file.error("sha256", "is not 64 hexadecimal digits")
      }
      files.append(
        Registry.File(
          name: try file.text("name"), byteCount: try file.count("bytes", in: 0...Self.most),
          sha256: digest, identity: try file.optionalText("identity")))
    }
    self.init(
      catalogName: try row.optionalText("catalog"), variant: try row.optionalText("variant"),
      source: try row.optionalText("source"), revision: try row.optionalText("revision"),
      licence: try row.optionalText("licence"),
      installed: try row.optionalCount("installed", in: 0...Self.most), files: files)
  }

  var members: [(String, JSONValue)] {
    let texts: [(String, String?)] = [
      ("catalog", catalogName), ("variant", variant), ("source", source), ("revision", revision),
      ("licence", licence),
    ]
    var members = texts.compactMap { key, text in text.map { (key, JSONValue.string($0)) } }
    if let installed { members.append(("installed", .integer(installed))) }
    let rows = files.map { file in
      var row: [(String, JSONValue)] = [
        ("name", .string(file.name)), ("bytes", .integer(file.byteCount)),
      ]
      if let sha256 = file.sha256 { row.append(("sha256", .string(sha256))) }
      if let identity = file.identity { row.append(("identity", .string(identity))) }
      return JSONValue.members(row)
    }
    return members + [("files", .array(rows))]
  }
}
