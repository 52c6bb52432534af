import FoundationEssentials
import Inference

/// How files that are on this machine become a model's.
package enum AddMethod: Sendable, Hashable {
  /// They stay where they are, and the library has links to them.
  case inPlace
  /// The library has its own names for the same bytes.
  case hardLink
  case copy
}

extension ModelLibrary {
  /// Makes a model of a GGUF file, or of a folder with a checkpoint.
  ///
  /// - Throws: `LibraryError`, and what is wrong with the files.
  package func add(
    _ path: String, as wanted: String?, _ method: AddMethod
  ) throws -> InstalledModel {
    guard Folders.exists(path) else { throw LibraryError.noSuchFile(path: path) }
    let (model, form) = try Self.model(at: path)
    let name = wanted ?? Self.plainName(Self.displayName(path))
    guard FileNames.isSafe(name) else { throw LibraryError.badName(name) }
    guard !Folders.exists(directories.models + "/" + name) else {
      throw LibraryError.nameTaken(name: name)
    }
    // Under the names that the user knows, not those that files get on their way in.
    _ = try ModelInspection(path: model)
    let files = try Self.parts(of: model, form)
    let folder = try incomingFolder(name)
    let lock = try FolderLock(folder + ".lock", for: name)
    defer { withExtendedLifetime(lock) {} }
    for left in Folders.names(folder) { try Folders.remove(folder + "/" + left) }
    var entry = Registry.Entry(
      source: Folders.absolute(path), installed: Int(Date().timeIntervalSince1970))
    for file in files {
      let fileName = file.split(separator: "/").last.map(String.init) ?? file
      let place = folder + "/" + fileName
      switch method {
      case .inPlace: try Folders.symbolicLink(place, to: Folders.absolute(file))
      case .hardLink: try Folders.hardLink(place, to: file)
      case .copy: try copy(file, to: place)
      }
      entry.files.append(
        Registry.File(name: fileName, byteCount: Folders.byteCount(file) ?? 0))
    }
    do {
      return try settle(folder, as: name, entry)
    } catch {
      try? Folders.remove(folder)
      if case LibraryError.notAModel = error { throw LibraryError.notAModel(path: path) }
      throw error
    }
  }

  /// The files of a model at a path outside the library.
  private static func parts(
    of model: String, _ form: InstalledModel.Form
  ) throws(LibraryError) -> [String] {
    switch form {
    case .gguf:
      let folder = model.parentPath
      let name = model.split(separator: "/").last.map(String.init) ?? model
      guard let part = GGUFName(name), let count = part.count else { return [model] }
      let parts = Folders.names(folder).filter {
        GGUFName($0)?.stem == part.stem && GGUFName($0)?.count == count
      }
      return parts.map { folder + "/" + $0 }
    case .checkpoint:
      return Folders.names(model).filter {
        FileNames.isSafe($0)
          && [".safetensors", ".json", ".jinja", ".txt", ".model"].contains(where: $0.hasSuffix)
      }.map { model + "/" + $0 }.filter { Folders.byteCount($0) != nil }
    }
  }

  private func copy(_ source: String, to place: String) throws {
    let size = Folders.byteCount(source) ?? 0
    if let free = Folders.freeSpace(place.parentPath), size > free {
      throw NetworkError.noSpace(folder: place.parentPath, needed: size, available: free)
    }
    let input = try OpenFile(path: source, isCreated: false)
    let output = try OpenFile(path: place, isCreated: true)
    var offset = 0
    try input.forEachBlock { bytes in
      try output.write(bytes, at: offset)
      offset += bytes.count
    }
    try output.synchronise()
  }
}
