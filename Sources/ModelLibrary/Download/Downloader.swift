/// Fetches files into a folder, one after another; each that is there under its own name is whole.
package struct Downloader: Sendable {
  package let settings: NetworkSettings
  package let pause: PauseSwitch

  package init(_ settings: NetworkSettings, pause: PauseSwitch = PauseSwitch()) {
    self.settings = settings
    self.pause = pause
  }

  /// Fetches what is missing; what an earlier call left is gone on with.
  ///
  /// Blocks the thread. `progress` is called on it, about ten times a second.
  ///
  /// - Throws: `NetworkError` (`.noSpace` before anything is written), `LibraryError`.
  package func fetch(
    _ files: [RemoteFile], into folder: String,
    progress: (DownloadProgress) -> Void = { _ in }
  ) throws -> [FetchedFile] {
    for file in files where !FileNames.isSafe(file.name) {
      throw NetworkError.unsafeName(file.name)
    }
    try PrivateFiles.makeDirectory(folder)
    try checkSpace(files, folder)
    let access = try HubAccess(
      settings, pause: pause, purpose: "Fetching \(files.first?.name ?? "a model")")
    return try withoutActuallyEscaping(progress) { progress in
      let sizes = files.map(\.byteCount)
      let total = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
      let tracker = ProgressTracker(count: files.count, total: total, report: progress)
      var fetched: [FetchedFile] = []
      for (index, file) in files.enumerated() {
        tracker.begin(file.name, number: index + 1)
        if let whole = try finished(file, in: folder, tracker) {
          fetched.append(whole)
        } else {
          fetched.append(
            try FileDownload(file, folder: folder, access: access, tracker: tracker).run())
        }
      }
      return fetched
    }
  }

  /// A file that an earlier run brought to its end.
  private func finished(
    _ file: RemoteFile, in folder: String, _ tracker: ProgressTracker
  ) throws -> FetchedFile? {
    let path = folder + "/" + file.name
    guard let size = Folders.byteCount(path), file.byteCount.map({ $0 == size }) ?? true else {
      return nil
    }
    guard let digest = file.digest else { return nil }
    tracker.enter(.checking, position: 0)
    var read = 0
    func advance(_ count: Int) throws {
      read += count
      tracker.show(position: read, isForced: false)
      if pause.isPaused {
        throw NetworkError.paused(done: tracker.done(position: read), total: tracker.allBytes)
      }
    }
    guard try FileDigests.check(path, digest, progress: advance) == digest else { return nil }
    let sha256: String
    switch digest {
    case .sha256(let text): sha256 = text
    case .gitBlob: sha256 = try FileDigests.sha256(path)
    }
    tracker.end(byteCount: size)
    return FetchedFile(name: file.name, byteCount: size, sha256: sha256)
  }

  private func checkSpace(_ files: [RemoteFile], _ folder: String) throws {
    guard let available = Folders.freeSpace(folder) else { return }
    let needed = files.reduce(0) { sum, file in
      let path = folder + "/" + file.name
      let here = Folders.byteCount(path) ?? Folders.byteCount(path + ".part") ?? 0
      return sum + max(0, (file.byteCount ?? 0) - here)
    }
    guard needed <= available else {
      throw NetworkError.noSpace(folder: folder, needed: needed, available: available)
    }
  }
}
