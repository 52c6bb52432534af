import Inference

extension ModelLibrary {
  /// Where files of a model gather until they are whole: no model is looked for there.
  func incomingFolder(_ name: String) throws(LibraryError) -> String {
    guard FileNames.isSafe(name) else { throw .badName(name) }
    let folder = directories.models + "/.incoming/" + name
    try PrivateFiles.makeDirectory(folder)
    return folder
  }

  /// Gives a folder of whole files its place among the models, if they make one.
  ///
  /// - Throws: `LibraryError`, and what is wrong with the files.
  func settle(
    _ folder: String, as name: String, _ entry: Registry.Entry
  ) throws -> InstalledModel {
    let (path, _) = try Self.model(at: folder)
    // Headers, and whether the files are as long as these say.
    _ = try ModelInspection(path: path)
    let place = directories.models + "/" + name
    guard !Folders.exists(place) else { throw LibraryError.nameTaken(name: name) }
    try Folders.synchronise(folder)
    try Folders.rename(folder, to: place)
    do {
      try Folders.synchronise(directories.models)
      try register(entry, of: place, as: name)
      return try installed(name)
    } catch {
      // Whoever is told that it failed must not find it installed.
      try? Folders.rename(place, to: folder)
      throw error
    }
  }

  private func register(
    _ entry: Registry.Entry, of place: String, as name: String
  ) throws(LibraryError) {
    var entry = entry
    for index in entry.files.indices where entry.files[index].sha256 != nil {
      entry.files[index].identity = Registry.File.identity(
        of: place + "/" + entry.files[index].name)
    }
    try RegistryStore(library: self).update { $0.entries[name] = entry }
  }

  /// A name made of what may be in one.
  static func plainName(_ text: String) -> String {
    var name = ""
    for character in text.lowercased() {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      name.append(isPlain || "._-".contains(character) ? character : "-")
    }
    while let first = name.first, ".-".contains(first) { name.removeFirst() }
    return String(name.prefix(100))
  }
}
