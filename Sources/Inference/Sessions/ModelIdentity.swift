import FoundationEssentials
import Weights

/// What tells a model's files from all others and from themselves after a change.
enum ModelIdentity {
  /// The names of the files with device, inode, size and time of change, one to a line.
  static func text(path: String) -> String {
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let names =
      isFolder
      ? ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
        $0.hasSuffix(".safetensors") || $0.hasSuffix(".json")
      }.sorted() : []
    let paths = isFolder ? names.map { "\(path)/\($0)" } : [path]
    return paths.map { path in
      let name = path.split(separator: "/").last ?? ""
      guard let file = FileIdentity(path: path) else { return "\(name)" }
      return "\(name) \(file.device) \(file.inode) \(file.size) \(file.modified)"
    }.joined(separator: "\n")
  }
}
