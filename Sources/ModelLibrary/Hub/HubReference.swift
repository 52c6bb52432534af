/// What `hf:OWNER/NAME[@REVISION][:QUANTISATION]` names, or the address of a page of the Hub.
package struct HubReference: Sendable, Hashable {
  package var repository: String
  /// A branch, tag or commit.
  package var revision: String?
  package var quantisation: String?
  /// A file of the repository, by its path; it stands for the parts of a model beside it too.
  package var file: String?

  /// - Throws: `NetworkError.badReference`.
  package init(_ text: String) throws(NetworkError) {
    if HubAddress.isAddress(text) {
      guard let address = HubAddress(text) else { throw .badReference(text) }
      (repository, revision, file) = (address.repository, address.revision, address.file)
      try check(text)
      return
    }
    var rest = text[...]
    if rest.hasPrefix("hf:") { rest.removeFirst(3) }
    if let colon = rest.firstIndex(of: ":") {
      quantisation = String(rest[rest.index(after: colon)...])
      rest = rest[..<colon]
    }
    if let at = rest.firstIndex(of: "@") {
      revision = String(rest[rest.index(after: at)...])
      rest = rest[..<at]
    }
    repository = String(rest)
    try check(text)
  }

  private func check(_ text: String) throws(NetworkError) {
    guard Self.isRepository(repository), quantisation?.isEmpty != true,
      revision.map(Self.isRevision) ?? true
    else { throw .badReference(text) }
  }

  /// Whether a request is one of these, and no name of the menu.
  package static func isReference(_ request: String) -> Bool {
    request.hasPrefix("hf:") || HubAddress.isAddress(request)
  }

  /// The reference that a repository's name without `hf:` was meant to be; nil for other texts.
  static func meant(by request: String) -> String? {
    guard request.contains("/"), !isReference(request) else { return nil }
    return (try? HubReference("hf:" + request)).map { _ in "hf:" + request }
  }

  static func isRepository(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { FileNames.isSafe(String($0)) && isPlain($0) }
  }

  private static func isRevision(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200 && isPlain(text[...]) && !text.contains("..")
  }

  private static func isPlain(_ text: Substring) -> Bool {
    text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }
}
