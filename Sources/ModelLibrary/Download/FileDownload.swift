import Glibc

/// Fetches one file: what an earlier run left is gone on with, and the file takes its name only when
/// its size and digest are right.
final class FileDownload {
  private let access: HubAccess
  private let folder: String
  private let tracker: ProgressTracker
  private var file: RemoteFile
  private let part: PartFile

  /// How often the whole is hashed in the hope that one chunk put it right.
  private static let earlyChecks = 3
  private static let rounds = 4

  init(
    _ file: RemoteFile, folder: String, access: HubAccess, tracker: ProgressTracker
  ) throws {
    self.file = file
    self.folder = folder
    self.access = access
    self.tracker = tracker
    part = try PartFile(
      folder: folder, name: file.name, identity: file.identity,
      chunk: file.chunks?.byteCount ?? PartFile.defaultChunk)
    // More than there should be is another file's.
    if let size = file.byteCount, part.position > size { try part.rewind(to: 0) }
  }

  /// - Throws: `NetworkError`, `LibraryError`; what has come stays for the next time unless it is
  ///   known to be of no use.
  func run() throws -> FetchedFile {
    do {
      if part.position > 0 { try checkWhatIsHere() }
      try fetchRest()
      let digest = try verify()
      try part.commit(to: folder + "/" + file.name)
      tracker.end(byteCount: part.position)
      return FetchedFile(name: file.name, byteCount: part.position, sha256: digest)
    } catch NetworkError.paused {
      throw NetworkError.paused(
        done: tracker.done(position: part.position), total: tracker.allBytes)
    } catch LibraryError.cannotWrite(_, ENOSPC) {
      throw NetworkError.noSpace(
        folder: folder, needed: max(0, (file.byteCount ?? 0) - part.position),
        available: Folders.freeSpace(folder) ?? 0)
    }
  }

  // MARK: Fetching

  private func checkWhatIsHere() throws {
    tracker.enter(.checking, position: 0)
    var read = 0
    let damaged = try part.damagedChunks(whole: { _ in }) { count in
      read += count
      tracker.show(position: read, isForced: false)
      try throwIfPaused()
    }
    if !damaged.isEmpty { _ = try replace(damaged) { false } }
  }

  private func fetchRest() throws {
    if let size = file.byteCount, part.position == size { return try part.seal() }
    tracker.enter(.downloading, position: part.position)
    let stream = RangeStream(file, access: access, tag: part.tag)
    try stream.read(from: part.position, to: nil) { event in
      switch event {
      case .tag(let tag): try part.note(tag: tag)
      case .passed(let bytes, let offset):
        guard let difference = try part.firstDifference(bytes, at: offset) else {
          return nil
        }
        try part.rewind(to: difference)
        return difference
      case .bytes(let bytes):
        try part.append(bytes)
        tracker.receive(bytes.count, position: part.position)
      case .restart:
        try part.rewind(to: 0)
        return 0
      }
      return nil
    }
    file = stream.file
    try part.seal()
  }

  // MARK: Checking

  /// Reads the file against its digest, and puts right what is wrong; returns its SHA-256.
  private func verify() throws -> String {
    var hasFetchedAll = false
    for _ in 0..<Self.rounds {
      var check = try self.check()
      if let chunks = file.chunks, chunks.sha256.count == part.digests.count {
        check.damaged = part.digests.indices.filter {
          check.damaged.contains($0) || part.digests[$0] != chunks.sha256[$0]
        }
      }
      if check.isRight { return check.sha256 }
      tracker.enter(.downloading, position: part.position)
      if !check.damaged.isEmpty {
        _ = try replace(check.damaged) { false }
      } else if !hasFetchedAll {
        hasFetchedAll = true
        // Where it went wrong nobody knows: all is compared with what comes now.
        var checks = 0
        let replaced = try replace(Array(part.digests.indices)) {
          checks += 1
          return try checks <= Self.earlyChecks && self.check().isRight
        }
        if replaced == 0 { break }
      } else {
        break
      }
    }
    let found = try check()
    if found.isRight { return found.sha256 }
    // It came twice alike, so that is what there is.
    part.discard()
    throw NetworkError.digest(
      file: file.name, expected: file.digest?.text ?? "-",
      found: file.digest.map { found.text(for: $0) } ?? found.sha256)
  }

  private struct Check {
    var sha256: String
    var gitBlob: String?
    var damaged: [Int]
    var expected: DigestValue?

    var isRight: Bool {
      damaged.isEmpty && (expected.map { text(for: $0) == $0.text } ?? true)
    }

    func text(for digest: DigestValue) -> String {
      switch digest {
      case .sha256: sha256
      case .gitBlob: gitBlob ?? ""
      }
    }
  }

  private func check() throws -> Check {
    tracker.enter(.verifying, position: 0)
    var whole = Digester()
    var blob = Digester(gitBlobOf: part.position)
    var isBlob = false
    if case .gitBlob? = file.digest { isBlob = true }
    var read = 0
    let damaged = try part.damagedChunks(
      whole: { bytes in
        whole.update(bytes)
        if isBlob { blob.update(bytes) }
      },
      progress: { count in
        read += count
        tracker.show(position: read, isForced: false)
        try throwIfPaused()
      })
    return Check(
      sha256: whole.finish(), gitBlob: isBlob ? blob.finish() : nil, damaged: damaged,
      expected: file.digest)
  }

  /// Fetches chunks again and puts what differs in their place; returns how many differed.
  ///
  /// After each that did, `isEnough` may end it.
  private func replace(_ chunks: [Int], isEnough: () throws -> Bool) throws -> Int {
    var replaced = 0
    var rest = chunks[...]
    while let first = rest.first {
      // Neighbours come in one request.
      var last = first
      while let next = rest.first, next == last || next == last + 1 {
        last = next
        rest.removeFirst()
      }
      var index = first
      var isDone = false
      var buffer: [UInt8] = []
      let stream = RangeStream(file, access: access, tag: part.tag)
      let end = part.range(of: last).upperBound
      try stream.read(from: part.range(of: first).lowerBound, to: end) { event in
        guard case .bytes(let bytes) = event else { return nil }
        buffer.append(contentsOf: bytes)
        tracker.receive(bytes.count, position: part.position)
        while !isDone, index <= last, buffer.count >= part.range(of: index).count {
          let chunk = Array(buffer.prefix(part.range(of: index).count))
          buffer.removeFirst(chunk.count)
          var digester = Digester()
          digester.update(chunk[...])
          let digest = digester.finish()
          if try digest != part.digests[index] || isOtherOnDisk(index, chunk) {
            try part.replace(index, with: chunk, digest: digest)
            replaced += 1
            isDone = try isEnough()
          }
          index += 1
        }
        return isDone ? end : nil
      }
      if isDone { return replaced }
    }
    return replaced
  }

  private func isOtherOnDisk(_ index: Int, _ chunk: [UInt8]) throws -> Bool {
    try part.firstDifference(chunk[...], at: part.range(of: index).lowerBound) != nil
  }

  private func throwIfPaused() throws {
    if access.pause.isPaused { throw NetworkError.paused(done: 0, total: nil) }
  }
}
