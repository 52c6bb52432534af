/// The status and headers of a response.
struct HTTPHead {
  var status = 0
  private var headers: [(name: String, value: String)] = []

  /// The most headers that are kept.
  private static let limit = 200

  init() {}

  /// Takes in one line as it came; a status line begins a new head.
  mutating func add(line: String) {
    if line.hasPrefix("HTTP/") {
      self = HTTPHead()
      let parts = line.split(separator: " ", maxSplits: 2)
      status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      return
    }
    guard let colon = line.firstIndex(of: ":"), headers.count < Self.limit else { return }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    var text = String(value)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    headers.append((line[..<colon].lowercased(), text))
  }

  /// The value of a header by its name in lower case.
  subscript(name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// Bytes of the body, where the head says.
  var contentLength: Int? {
    self["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The mark of one version of a file, if it is a strong one.
  var strongTag: String? {
    guard let tag = self["etag"], tag.hasPrefix("\""), tag.utf8.count < 300 else { return nil }
    return tag
  }

  /// What a partial response holds: the first byte, and how many the whole has where that is known.
  var contentRange: (first: Int, total: Int?)? {
    guard let text = self["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/")
    guard parts.count == 2, let dash = parts[0].firstIndex(of: "-"),
      let first = Int(parts[0][..<dash]), first >= 0
    else { return nil }
    return (first, Int(parts[1]))
  }
}
