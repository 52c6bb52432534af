import Inference

/// What checking a model's files found.
package struct VerifyReport: Sendable, Hashable {
  package enum State: Sendable, Hashable {
    /// It is what was installed.
    case sound
    /// Its digest was not known, and is now.
    case recorded
    /// Its digest was not known, and cannot be remembered.
    case unrecorded
    case missing
    case damaged(expected: String, found: String)
  }

  package var name: String
  /// Whether the model came with the program.
  package var isBundled: Bool
  package var files: [(name: String, state: State)] {
    zip(names, states).map { ($0, $1) }
  }
  private var names: [String] = []
  private var states: [State] = []

  init(_ model: InstalledModel) {
    name = model.name
    isBundled = model.isBundled
  }

  mutating func add(_ file: String, _ state: State) {
    names.append(file)
    states.append(state)
  }

  /// Nothing of it could be remembered.
  mutating func noteUnrecorded() {
    states = states.map { $0 == .recorded ? .unrecorded : $0 }
  }

  package var isSound: Bool {
    states.allSatisfy { $0 == .sound || $0 == .recorded || $0 == .unrecorded }
  }
}

extension ModelLibrary {
  /// Reads all files of a model against the digests that are known of them, and its headers.
  ///
  /// Blocks the thread. Digests that are not known are remembered.
  ///
  /// - Throws: `NetworkError.paused`, `LibraryError`, and what is wrong with the headers.
  package func verify(
    _ model: InstalledModel, pause: PauseSwitch = PauseSwitch(),
    progress: @escaping (DownloadProgress) -> Void = { _ in }
  ) throws -> VerifyReport {
    let store = RegistryStore(library: self)
    var entry = bundledEntry(model) ?? store.read().entries[model.name] ?? Registry.Entry()
    let folder = folder(of: model)
    for path in model.isBundled && !entry.files.isEmpty ? [] : files(of: model) {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if !entry.files.contains(where: { $0.name == name }) {
        entry.files.append(Registry.File(name: name, byteCount: Folders.byteCount(path) ?? 0))
      }
    }
    guard !entry.files.isEmpty else {
      throw LibraryError.notInstalled(name: model.name, nearest: nil)
    }
    var report = VerifyReport(model)
    let total = entry.files.reduce(0) { $0 + $1.byteCount }
    let tracker = ProgressTracker(count: entry.files.count, total: total, report: progress)
    for (index, file) in entry.files.enumerated() {
      let path = folder + "/" + file.name
      guard Folders.byteCount(path) != nil else {
        report.add(file.name, .missing)
        continue
      }
      tracker.begin(file.name, number: index + 1)
      tracker.enter(.verifying, position: 0)
      let identity = Registry.File.identity(of: path)
      var read = 0
      let digest = try FileDigests.sha256(path) { count in
        read += count
        tracker.show(position: read, isForced: false)
        if pause.isPaused {
          throw NetworkError.paused(done: tracker.done(position: read), total: total)
        }
      }
      tracker.end(byteCount: read)
      if let expected = file.sha256, expected != digest {
        report.add(file.name, .damaged(expected: expected, found: digest))
        continue
      }
      report.add(file.name, file.sha256 == nil ? .recorded : .sound)
      entry.files[index] = Registry.File(
        name: file.name, byteCount: read, sha256: digest, identity: identity)
    }
    // What came with the program is in no registry: its row of the menu has the digests.
    if !model.isBundled {
      do throws(LibraryError) {
        try store.update { $0.entries[model.name] = entry }
      } catch {
        // A library that cannot be written has sound files all the same.
        guard case .cannotWrite = error else { throw error }
        report.noteUnrecorded()
      }
    }
    if report.isSound { _ = try ModelInspection(path: model.path) }
    return report
  }

  /// What the menu says of the files of a model that came with the program; nil for others.
  private func bundledEntry(_ model: InstalledModel) -> Registry.Entry? {
    guard model.isBundled,
      let row = Catalog.load(directories).catalog.model(model.name), row.isBundledOnly
    else { return nil }
    return Registry.Entry(
      files: row.variants[0].sources[0].files.map {
        Registry.File(name: $0.name, byteCount: $0.byteCount ?? 0, sha256: $0.sha256)
      })
  }
}
