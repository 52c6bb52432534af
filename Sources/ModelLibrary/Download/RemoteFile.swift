/// A file to fetch.
package struct RemoteFile: Sendable, Hashable {
  /// Its name on disk.
  package var name: String
  package var location: Location
  package var byteCount: Int?
  package var digest: DigestValue?
  package var chunks: ChunkDigests?

  package enum Location: Sendable, Hashable {
    /// A path in a repository of the Hub, at a commit.
    case hub(repository: String, commit: String, path: String)
    case url(String)
  }

  package init(
    name: String, location: Location, byteCount: Int? = nil, digest: DigestValue? = nil,
    chunks: ChunkDigests? = nil
  ) {
    self.name = name
    self.location = location
    self.byteCount = byteCount
    self.digest = digest
    self.chunks = chunks
  }

  /// What must be the same for a part that is on disk to belong to this file.
  var identity: String {
    if let digest { return "digest \(digest.text)" }
    return switch location {
    case .hub(let repository, let commit, let path): "hub \(repository) \(commit) \(path)"
    case .url(let url): "url \(url)"
    }
  }
}

/// A file that is here, whole and checked.
package struct FetchedFile: Sendable, Hashable {
  package var name: String
  package var byteCount: Int
  package var sha256: String

  package init(name: String, byteCount: Int, sha256: String) {
    self.name = name
    self.byteCount = byteCount
    self.sha256 = sha256
  }
}
