/// The address of a page of the Hub, as a browser shows it: of a repository, of one of its
/// revisions, or of a file.
struct HubAddress {
  var repository: String
  /// Nil for `main`, which is what there is without one.
  var revision: String?
  var file: String?

  private static let hosts = ["huggingface.co", "www.huggingface.co", "hf.co"]

  /// Nil for what is not on the Hub, or no page of a model.
  init?(_ text: String) {
    guard let path = Self.path(text) else { return nil }
    var end = path.endIndex
    if let mark = path.firstIndex(where: { "?#".contains($0) }) { end = mark }
    var parts = path[..<end].split(separator: "/", omittingEmptySubsequences: false)
    while parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count >= 2 else { return nil }
    repository = parts[0] + "/" + parts[1]
    if parts.count == 2 { return }
    guard parts.count >= 4 else { return nil }
    revision = parts[3] == "main" ? nil : String(parts[3])
    switch parts[2] {
    case "tree" where parts.count == 4: break
    case "blob" where parts.count > 4, "resolve" where parts.count > 4:
      file = parts[4...].joined(separator: "/")
    default: return nil
    }
  }

  /// Whether a text is an address at all, of the Hub or not.
  static func isAddress(_ text: String) -> Bool {
    text.contains("://") || path(text) != nil
  }

  /// What follows the Hub's name.
  private static func path(_ text: String) -> Substring? {
    var rest = text[...]
    for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
    }
    guard let slash = rest.firstIndex(of: "/"),
      hosts.contains(rest[..<slash].lowercased())
    else { return nil }
    return rest[rest.index(after: slash)...]
  }
}
