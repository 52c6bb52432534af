import FoundationEssentials
import Weights

/// Files of our own in a folder, which all together may have a number of bytes.
///
/// They spare time and nothing else, so any of them may go at any moment.
struct BoundedFolder: Sendable {
  let directory: String
  /// What the names of the files end in.
  let suffix: String
  /// The most bytes that they may have; nil is a tenth of what is free there besides them.
  let fixedLimit: Int?
  /// The most bytes that they have where no limit was given.
  let most: Int

  private static let temporarySuffix = ".part"

  struct File {
    let path: String
    let identity: FileIdentity
  }

  /// Makes the folder if it is not there.
  func make() {
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  /// The file of a name, whatever the name is made of.
  func path(_ name: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF")
    var file = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        file.unicodeScalars.append(Unicode.Scalar(byte))
      default: file += "%\(hexadecimal[Int(byte >> 4)])\(hexadecimal[Int(byte & 15)])"
      }
    }
    return "\(directory)/\(file)\(suffix)"
  }

  /// All files, those among them that are being written or that a process which died had begun.
  var files: [File] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(suffix) || name.hasSuffix(Self.temporarySuffix) else { return nil }
      let path = "\(directory)/\(name)"
      return FileIdentity(path: path).map { File(path: path, identity: $0) }
    }
  }

  /// Bytes of all files.
  var byteCount: Int { files.reduce(0) { $0 + Int($1.identity.size) } }

  /// The most bytes that they may have now.
  var limit: Int {
    if let fixedLimit { return fixedLimit }
    var place = directory
    while !FileManager.default.fileExists(atPath: place), let slash = place.lastIndex(of: "/") {
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    return min(most, (freeSpace(at: place) ?? 0).added(clamping: byteCount) / 10)
  }

  /// Removes what was written, or used, longest ago until the rest has at most `bytes`; the file that is
  /// to be replaced is not among them.
  func trim(keeping kept: String, to bytes: Int) {
    let others = files.filter { $0.path != kept }
      .sorted { $0.identity.modified < $1.identity.modified }
    var sum = others.reduce(0) { $0 + Int($1.identity.size) }
    for file in others where sum > bytes {
      try? FileManager.default.removeItem(atPath: file.path)
      sum -= Int(file.identity.size)
    }
  }

  func removeAll() {
    for file in files { try? FileManager.default.removeItem(atPath: file.path) }
  }
}
