import FoundationEssentials
import Glibc
import JSON
import ModelLibrary

extension Doctor {
  /// Whether every folder is there and takes files, or can be made; and the configuration.
  func directories() -> [DoctorCheck] {
    let all = invocation.library.directories
    let folders = [
      ("models", all.models), ("conversations", all.conversations), ("sessions", all.sessions),
      ("prepared weights", all.prepared),
      ("loads", all.loads), ("configuration", all.config.parentPath),
    ]
    return folders.map { name, path in folder(name, path) } + [configuration(all.config)]
  }

  private func folder(_ name: String, _ path: String) -> DoctorCheck {
    let place = FolderPlace(path)
    var figures: [(String, JSONValue)] = [
      ("folder", .string(name)), ("path", .string(path)), ("exists", .bool(place.exists)),
    ]
    if let code = place.failure {
      return .fault(
        "folder", DoctorWords.unusable(name, path, code: code),
        remedy: DoctorWords.makeWritable(place.nearest), figures)
    }
    figures.append(("free_bytes", .optional(place.freeBytes)))
    let finding = DoctorWords.folder(name, path, exists: place.exists, free: place.freeBytes)
    // A conversation of some length has a megabyte, and is written beside the one it replaces.
    if let free = place.freeBytes, free < 10_000_000 {
      return .fault("folder", finding, remedy: DoctorWords.diskIsFull(place.nearest), figures)
    }
    // Less than any model that is worth it.
    if let free = place.freeBytes, free < 500_000_000 {
      return .notice("folder", finding, remedy: DoctorWords.freeSpace, figures)
    }
    return .sound("folder", finding, figures)
  }

  private func configuration(_ path: String) -> DoctorCheck {
    do {
      _ = try Configuration(path: path)
      let exists = FileManager.default.fileExists(atPath: path)
      return .sound(
        "configuration", DoctorWords.configuration(path, exists: exists),
        [("path", .string(path)), ("exists", .bool(exists))])
    } catch {
      return .fault(
        "configuration", "\(error)", remedy: DoctorWords.mendConfiguration,
        [("path", .string(path))])
    }
  }
}

/// A folder as it is found: whether files can be made in it, or it in the nearest that is there.
private struct FolderPlace {
  let exists: Bool
  /// The folder itself or the nearest above it that is there.
  let nearest: String
  /// The system's reason why no file can be made there.
  let failure: Int32?
  let freeBytes: Int?

  init(_ path: String) {
    var nearest = path
    var status = stat()
    while unsafe stat(nearest, &status) != 0, [ENOENT, ENOTDIR].contains(errno),
      nearest != nearest.parentPath
    {
      nearest = nearest.parentPath
    }
    self.nearest = nearest
    exists = nearest == path
    failure = Self.failure(nearest)
    freeBytes = failure == nil ? ModelLibrary.freeSpace(in: nearest) : nil
  }

  /// Makes a file and removes it: permissions alone do not tell of file systems that are read-only.
  private static func failure(_ folder: String) -> Int32? {
    let path = "\(folder)/.pipit-doctor-\(getpid())"
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return unsafe unlink(path) == 0 ? nil : errno
  }
}
