import FoundationEssentials
import JSON

/// Something that could be removed for good.
package struct Leftover: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// A model that was removed and could be brought back.
    case removed
    /// Files of a download that was not finished.
    case unfinished
  }

  package var kind: Kind
  package var name: String
  package var path: String
  /// Bytes that removing it gives back.
  package var byteCount: Int
  /// Seconds since 1970 when it was last touched.
  package var touched: Int
}

extension ModelLibrary {
  private var removedFolder: String { directories.models + "/.removed" }
  private var allIncoming: String { directories.models + "/.incoming" }

  private static let entryName = ".entry.json"

  /// Takes a model out of the library; it can be brought back until it is purged.
  ///
  /// Files that are used in place stay where they are in any case.
  package func remove(_ name: String) throws -> InstalledModel {
    let model = try installed(name)
    let store = RegistryStore(library: self)
    let entry = store.read().entries[model.name] ?? Registry.Entry()
    let stamp = Int(Date().timeIntervalSince1970 * 1000)
    let place = removedFolder + "/\(model.name)~\(stamp)"
    try PrivateFiles.makeDirectory(removedFolder)
    let folder = directories.models + "/" + model.name
    try PrivateFiles.write(
      Data(JSONValue.members(entry.members).text.utf8), to: folder + "/" + Self.entryName)
    try Folders.rename(folder, to: place)
    try Folders.synchronise(directories.models)
    try store.update { $0.entries[model.name] = nil }
    return model
  }

  /// Brings back the model of that name that was removed last.
  ///
  /// - Throws: `LibraryError.nothingToRestore`, `.nameTaken`.
  package func restore(_ name: String) throws -> InstalledModel {
    let candidates = leftovers().filter { $0.kind == .removed && $0.name == name }
    guard let last = candidates.max(by: { $0.touched < $1.touched }) else {
      throw LibraryError.nothingToRestore(name: name)
    }
    let place = directories.models + "/" + name
    guard !Folders.exists(place) else { throw LibraryError.nameTaken(name: name) }
    let entryPath = last.path + "/" + Self.entryName
    let entry = (try? SmallFiles.read(entryPath, limit: 16_000_000)).flatMap { bytes in
      try? Registry.Entry(Fields(JSONReader.read(bytes), place: ""))
    }
    try Folders.rename(last.path, to: place)
    try Folders.remove(place + "/" + Self.entryName)
    try Folders.synchronise(directories.models)
    if let entry { try RegistryStore(library: self).update { $0.entries[name] = entry } }
    return try installed(name)
  }

  /// What could be removed for good, oldest first.
  package func leftovers() -> [Leftover] {
    var all: [Leftover] = []
    for item in Folders.names(removedFolder) {
      guard let mark = item.lastIndex(of: "~"),
        let stamp = Int(item[item.index(after: mark)...])
      else { continue }
      let path = removedFolder + "/" + item
      all.append(
        Leftover(
          kind: .removed, name: String(item[..<mark]), path: path,
          byteCount: Folders.diskUsage(path), touched: stamp / 1000))
    }
    for item in Folders.names(allIncoming) where Folders.isDirectory(allIncoming + "/" + item) {
      let path = allIncoming + "/" + item
      let times = Folders.names(path).map { Folders.modified(path + "/" + $0) }
      all.append(
        Leftover(
          kind: .unfinished, name: item, path: path, byteCount: Folders.diskUsage(path),
          touched: times.max() ?? Folders.modified(path)))
    }
    return all.sorted { ($0.touched, $0.path) < ($1.touched, $1.path) }
  }

  /// Removes something for good.
  ///
  /// - Throws: `LibraryError.busy` of a download that goes on.
  package func purge(_ leftover: Leftover) throws {
    if leftover.kind == .unfinished {
      let lock = try FolderLock(leftover.path + ".lock", for: leftover.name)
      defer { withExtendedLifetime(lock) {} }
      try Folders.remove(leftover.path)
    } else {
      try Folders.remove(leftover.path)
    }
  }
}
