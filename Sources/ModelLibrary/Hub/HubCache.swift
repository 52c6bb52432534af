/// The cache that Hugging Face's own programs keep: files in it are used where they are.
struct HubCache {
  let folder: String

  /// The paths of files in the cache, in their order; nil unless all are there with their sizes.
  func paths(
    of entries: [HubRepository.Entry], repository: String, commit: String
  ) -> [String]? {
    let snapshot = snapshots(repository) + "/" + commit
    var paths: [String] = []
    for entry in entries {
      let path = snapshot + "/" + entry.path
      guard !entry.path.split(separator: "/").contains(".."),
        Folders.byteCount(path) == entry.byteCount
      else { return nil }
      paths.append(path)
    }
    return paths
  }

  /// A repository as the cache has it; nil if it has none of that revision.
  ///
  /// The names of large files' contents are their SHA-256, and are checked against it.
  func repository(_ name: String, revision: String?) -> HubRepository? {
    guard let commit = commit(name, revision: revision ?? "main") else { return nil }
    let root = snapshots(name) + "/" + commit
    var entries: [HubRepository.Entry] = []
    func visit(_ folder: String) {
      for child in Folders.names(root + folder) {
        let path = folder + "/" + child
        if Folders.isDirectory(root + path) {
          visit(path)
        } else if let size = Folders.byteCount(root + path) {
          entries.append(
            HubRepository.Entry(
              path: String(path.dropFirst()), byteCount: size, digest: digest(root + path)))
        }
      }
    }
    visit("")
    if entries.isEmpty { return nil }
    return HubRepository(name: name, commit: commit, licence: nil, entries: entries)
  }

  private func snapshots(_ repository: String) -> String { place(repository) + "/snapshots" }

  private func place(_ repository: String) -> String {
    folder + "/models--" + repository.split(separator: "/").joined(separator: "--")
  }

  private func commit(_ repository: String, revision: String) -> String? {
    if DigestValue.isHexadecimal(revision, count: 40) { return revision }
    guard !revision.split(separator: "/").contains(".."),
      let bytes = try? SmallFiles.read(place(repository) + "/refs/" + revision, limit: 1000)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first
    guard let text, DigestValue.isHexadecimal(String(text), count: 40) else { return nil }
    return String(text)
  }

  /// The digest that the name of a link's target is.
  private func digest(_ path: String) -> DigestValue? {
    guard let name = Folders.linkTarget(path)?.split(separator: "/").last.map(String.init) else {
      return nil
    }
    if DigestValue.isSHA256(name) { return .sha256(name) }
    return DigestValue.isHexadecimal(name, count: 40) ? .gitBlob(name) : nil
  }
}
