import FoundationEssentials
import Glibc
import Kernels
import Transformers
import Weights

/// Prepared weights, kept in files of a folder so that the next load of a model maps them at once.
///
/// One file for each model, believed only if it is of the very same files and rules and whole. So a file
/// that is missing or wrong costs time and changes nothing.
package struct PreparedStore: Sendable {
  private let folder: BoundedFolder
  private let smallest: Int

  /// Files in a folder, which is made when the first is written.
  ///
  /// The limit is for all files together, in bytes; nil is a tenth of what is free there besides them.
  /// What was not used for longest goes first. Models with fewer than `smallest` bytes are not kept:
  /// they are prepared in about the time that a file takes to be checked.
  package init(directory: String, limit: Int? = nil, smallest: Int = 128_000_000) {
    folder = BoundedFolder(
      directory: directory, suffix: ".tiles", fixedLimit: limit, most: .max)
    self.smallest = smallest
  }

  package var directory: String { folder.directory }

  /// Bytes of a model's file, or nil if there is none.
  package func byteCount(ofModel path: String) -> Int? {
    let file = self.path(ofModel: path)
    return folder.files.first { $0.path == file }.map { Int($0.identity.size) }
  }

  /// Removes a model's file, if there is one.
  package func remove(ofModel path: String) {
    try? FileManager.default.removeItem(atPath: self.path(ofModel: path))
  }

  /// Removes all files.
  package func removeAll() { folder.removeAll() }

  /// The file of a model: one for each, whichever links lead to it.
  func path(ofModel path: String) -> String {
    let real = Self.realPath(path)
    var checksum = Checksum()
    checksum.update(Array(real.utf8).span)
    let name = real.split(separator: "/").last.map(String.init) ?? ""
    return folder.path(name.prefix(80) + "-" + String(checksum.value, radix: 16))
  }

  static func realPath(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Notes that a model's file has been used.
  func touch(_ file: String) {
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file)
  }

  /// Makes room for a model's file of so many bytes; false if it may not be written.
  ///
  /// First what is of no use goes, whatever the limit: files of models that are gone, and what processes
  /// that died had begun.
  func makeRoom(for byteCount: Int, at file: String) -> Bool {
    guard byteCount >= smallest else { return false }
    removeUseless()
    let limit = folder.limit
    guard byteCount <= limit else { return false }
    folder.make()
    folder.trim(keeping: file, to: limit - byteCount)
    return true
  }

  /// Removes files of models that are gone, and what processes that died had begun to write.
  package func removeUseless() {
    for file in folder.files where isUseless(file.path) {
      try? FileManager.default.removeItem(atPath: file.path)
    }
  }

  private func isUseless(_ path: String) -> Bool {
    guard path.hasSuffix(".part") else {
      guard let model = try? PreparedFile.modelPath(of: path) else { return true }
      return !FileManager.default.fileExists(atPath: model)
    }
    guard let process = path.split(separator: ".").dropLast().last.flatMap({ Int32($0) }) else {
      return true
    }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
