/// Reads a range of a remote file to its end through whatever goes wrong on the way: after each break it
/// goes on from where it was.
final class RangeStream {
  /// What a reader is told; it may answer with the offset to go on from.
  enum Event {
    /// The server's mark of the version that comes now; nil when it gives none.
    case tag(String?)
    /// Bytes of before the start, which a server sent that knows no ranges.
    case passed(ArraySlice<UInt8>, at: Int)
    /// The next bytes.
    case bytes(ArraySlice<UInt8>)
    /// The file is another now; it begins anew.
    case restart
  }

  typealias Reader = (Event) throws -> Int?

  /// The file, with what was learned about it.
  private(set) var file: RemoteFile
  private let access: HubAccess
  private var tag: String?
  /// Whether ranges are asked for: a server that gave a wrong one is not asked again.
  private var usesRanges = true
  /// Whether the range is bound to the version.
  private var usesTag = true
  private var position = 0
  private var end: Int?
  private var retry: Retry
  private var progress = 0
  /// The size that was promised, not learned.
  private let promisedSize: Int?

  /// Bytes after which earlier failures do not count any more.
  private static let fairProgress = 1 << 18

  init(_ file: RemoteFile, access: HubAccess, tag: String?) {
    self.file = file
    self.access = access
    self.tag = tag
    promisedSize = file.byteCount
    retry = Retry(access.settings, pause: access.pause)
  }

  /// Reads from `start` up to `end`, or to the end of the file.
  ///
  /// - Throws: `NetworkError` when it cannot be had, and what `reader` throws.
  func read(from start: Int, to end: Int?, _ reader: Reader) throws {
    position = start
    self.end = end
    while true {
      do {
        if try attempt(reader) { return }
      } catch {
        try retry.after(error, isFirstContact: access.isFirstContact(error))
      }
    }
  }

  private var address: WebAddress {
    get throws(NetworkError) {
      switch file.location {
      case .hub(let repository, let commit, let path):
        try access.address(repository, "resolve", commit, path)
      case .url(let url): try WebAddress(url)
      }
    }
  }

  /// One request; whether all has been read.
  private func attempt(_ reader: Reader) throws -> Bool {
    let start = try address
    let bound = end ?? file.byteCount
    if let bound, position >= bound { return true }
    var headers: [String] = []
    let asksRange = usesRanges && (position > 0 || end != nil)
    if asksRange {
      headers.append("Range: bytes=\(position)-\(end.map { String($0 - 1) } ?? "")")
      if usesTag, let tag { headers.append("If-Range: \(tag)") }
    }
    let began = position
    // Where the next byte of the body lies in the file; nil before the first.
    var offset: Int?
    var host = start.host
    let (head, last) = try access.get(
      start, headers: headers, onRedirect: { try checkLink($0) }
    ) { head, address, bytes in
      host = address.host
      guard head.status == 200 || head.status == 206 else { return false }
      if offset == nil {
        offset = try begin(head, host: host, asksRange: asksRange, reader)
      }
      guard let place = offset else { return false }
      let isDone = try take(bytes, at: place, reader)
      offset = place + bytes.count
      return !isDone
    }
    if head.status == 416, head["content-range"] == "bytes */\(position)" {
      file.byteCount = position
      return true
    }
    try checkStatus(head, at: last, start: start)
    if offset == nil { _ = try begin(head, host: host, asksRange: asksRange, reader) }
    if let bound = end ?? file.byteCount {
      if position >= bound { return true }
      throw NetworkError.interrupted(host: host, reason: "the answer ended early")
    }
    // A body without a length that came to its end is whole.
    if position > began || head.contentLength == nil {
      file.byteCount = position
      return true
    }
    throw NetworkError.interrupted(host: host, reason: "nothing came")
  }

  /// Looks at the head of a response: where its body begins.
  private func begin(
    _ head: HTTPHead, host: String, asksRange: Bool, _ reader: Reader
  ) throws -> Int {
    let newTag = head.strongTag
    let isOther = tag != nil && newTag != nil && tag != newTag
    let total = head.status == 206 ? head.contentRange?.total : head.contentLength
    let isResized = file.byteCount != nil && total != nil && total != file.byteCount
    if file.digest == nil, promisedSize == nil, isOther || isResized {
      file.byteCount = nil
      if head.status == 206 { try restart(newTag, reader) }
    }
    if head.status == 206 {
      guard let range = head.contentRange, range.first == position else {
        usesRanges = false
        throw NetworkError.badResponse(
          host: host, "it begins at byte \(head.contentRange?.first ?? -1), not \(position)")
      }
      try learn(total: range.total)
      try note(newTag, reader)
      return position
    }
    if asksRange, isOther, usesTag, file.digest != nil {
      // The digest tells at the end; one content may go by several marks.
      usesTag = false
      throw NetworkError.badResponse(host: host, "the mark of the file is another")
    }
    try learn(total: total)
    try note(newTag, reader)
    return 0
  }

  private func note(_ new: String?, _ reader: Reader) throws {
    guard end == nil, new != tag else { return }
    tag = new
    _ = try reader(.tag(new))
  }

  /// The file was changed, and what has come is of the old one.
  private func restart(_ newTag: String?, _ reader: Reader) throws {
    guard end == nil else { throw NetworkError.changed(file: file.name) }
    try note(newTag, reader)
    _ = try reader(.restart)
    position = 0
    throw NetworkError.changed(file: file.name)
  }

  private func learn(total: Int?) throws(NetworkError) {
    guard let total else { return }
    if let expected = file.byteCount, expected != total {
      throw .size(file: file.name, expected: expected, found: total)
    }
    file.byteCount = total
  }

  /// Takes in bytes of the body; whether no more are wanted.
  private func take(
    _ bytes: ArraySlice<UInt8>, at place: Int, _ reader: Reader
  ) throws -> Bool {
    var bytes = bytes
    var place = place
    if place < position {
      let passed = bytes.prefix(position - place)
      if let back = try reader(.passed(passed, at: place)), back < position {
        position = back
      }
      let skipped = min(position - place, bytes.count)
      bytes = bytes.dropFirst(skipped)
      place += skipped
      if bytes.isEmpty { return false }
    }
    if let end, place + bytes.count > end {
      bytes = bytes.prefix(end - place)
    }
    if let size = file.byteCount, place + bytes.count > size {
      throw NetworkError.size(file: file.name, expected: size, found: place + bytes.count)
    }
    if let jump = try reader(.bytes(bytes)) {
      position = jump
      return true
    }
    access.noteReceived()
    position += bytes.count
    progress += bytes.count
    if progress >= Self.fairProgress {
      progress = 0
      retry.progressed()
    }
    return end.map { position >= $0 } ?? false
  }

  /// What the Hub says about a file before it sends to where the bytes are.
  private func checkLink(_ head: HTTPHead) throws(NetworkError) {
    if let size = head["x-linked-size"].flatMap({ Int($0) }) {
      if let expected = file.byteCount, expected != size { throw .changed(file: file.name) }
      file.byteCount = size
    }
    guard let tag = head["x-linked-etag"] else { return }
    let digits = tag.filter { $0 != "\"" }
    guard DigestValue.isSHA256(digits) else { return }
    switch file.digest {
    case .sha256(let expected) where expected != digits: throw .changed(file: file.name)
    case nil: file.digest = .sha256(digits)
    default: break
    }
  }

  private func checkStatus(_ head: HTTPHead, at last: WebAddress, start: WebAddress) throws {
    // A signed link goes stale; the next attempt asks for another.
    if [400, 401, 403, 404, 410].contains(head.status), last != start {
      throw NetworkError.interrupted(
        host: last.host, reason: "the link was refused with status \(head.status)")
    }
    if head.status == 416 {
      usesRanges = false
      throw NetworkError.badResponse(host: last.host, "it has no byte \(position)")
    }
    try HubAccess.check(
      head, at: last, what: what, hasToken: access.settings.token != nil)
  }

  private var what: String {
    switch file.location {
    case .hub(let repository, _, let path): "\(path) in \(repository)"
    case .url(let url): url
    }
  }
}
