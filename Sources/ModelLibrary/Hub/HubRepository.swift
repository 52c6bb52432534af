import FoundationEssentials
import JSON

/// A repository of the Hub at one commit: what is in it.
package struct HubRepository: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var path: String
    package var byteCount: Int
    package var digest: DigestValue?
  }

  package var name: String
  /// 40 hexadecimal digits.
  package var commit: String
  package var licence: String?
  package var entries: [Entry]
}

extension HubRepository {
  private static let pageLimit = 100
  private static let entryLimit = 20_000

  /// What a repository holds at a revision (its newest without one).
  ///
  /// - Throws: `NetworkError`.
  static func load(
    _ repository: String, revision: String?, access: HubAccess
  ) throws -> HubRepository {
    let what = revision.map { "\(repository) at \($0)" } ?? repository
    let (about, _) = try access.json(
      access.address("api/models", repository, "revision", revision ?? "main"),
      what: "repository \(what)")
    let host = access.settings.endpoint
    guard let commit = about["sha"]?.stringValue, DigestValue.isHexadecimal(commit, count: 40)
    else {
      throw NetworkError.badResponse(host: host, "it names no commit of \(what)")
    }
    var result = HubRepository(
      name: repository, commit: commit, licence: licence(about), entries: [])
    var address = try access.address(
      "api/models", repository, "tree", commit, query: [("recursive", "true")])
    for _ in 0..<pageLimit {
      let (page, head) = try access.json(address, what: "list of files of \(what)")
      guard let rows = page.arrayValue else {
        throw NetworkError.badResponse(host: host, "the list of files is no list")
      }
      for row in rows {
        if let entry = try entry(row, host: host) { result.entries.append(entry) }
      }
      guard result.entries.count <= entryLimit else {
        throw NetworkError.badResponse(host: host, "\(what) has too many files")
      }
      guard let next = head["link"].flatMap(nextPage) else { return result }
      let following = try address.following(next)
      guard following.hasOrigin(of: address) else {
        throw NetworkError.badResponse(host: host, "its list goes on elsewhere")
      }
      address = following
    }
    return result
  }

  private static func licence(_ about: JSONValue) -> String? {
    if let text = about["cardData"]?["license"]?.stringValue { return text.displayable(limit: 60) }
    for tag in about["tags"]?.arrayValue ?? [] {
      if let text = tag.stringValue, text.hasPrefix("license:") {
        return String(text.dropFirst("license:".count)).displayable(limit: 60)
      }
    }
    return nil
  }

  private static func entry(_ row: JSONValue, host: String) throws(NetworkError) -> Entry? {
    guard row["type"]?.stringValue == "file" else { return nil }
    guard let path = row["path"]?.stringValue, let size = row["size"]?.intValue, size >= 0 else {
      throw .badResponse(host: host, "a file has no path or size")
    }
    if let large = row["lfs"] {
      guard let digits = large["oid"]?.stringValue, DigestValue.isSHA256(digits) else {
        throw .badResponse(host: host, "\(path.displayable(limit: 100)) has no SHA-256")
      }
      return Entry(path: path, byteCount: large["size"]?.intValue ?? size, digest: .sha256(digits))
    }
    let blob = row["oid"]?.stringValue.flatMap {
      DigestValue.isHexadecimal($0, count: 40) ? DigestValue.gitBlob($0) : nil
    }
    return Entry(path: path, byteCount: size, digest: blob)
  }

  /// The address of the next page, from a `Link` header.
  private static func nextPage(_ link: String) -> String? {
    for part in link.split(separator: ",") {
      let fields = part.split(separator: ";")
      guard fields.count > 1, fields[1...].contains(where: { $0.contains("rel=\"next\"") }),
        let first = fields[0].firstIndex(of: "<"), let last = fields[0].firstIndex(of: ">"),
        first < last
      else { continue }
      return String(fields[0][fields[0].index(after: first)..<last])
    }
    return nil
  }
}
