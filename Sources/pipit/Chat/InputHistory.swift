import FoundationEssentials
import Glibc
import ModelLibrary

/// What was typed in earlier chats: a file of one entry a line, only its owner's to read.
///
/// An entry is appended as it is sent, so that nothing is lost when Pipit is killed.
struct InputHistory {
  /// Entries read; the file is cut to these when it holds twice as many.
  static let limit = 1000

  private let path: String

  init(path: String) {
    self.path = path
  }

  /// The last entries, oldest first; none when there is no file.
  func load() -> [String] {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    let kept = lines.suffix(Self.limit)
    if lines.count > 2 * Self.limit {
      let text = kept.joined(separator: "\n") + "\n"
      try? PrivateFiles.write(Data(text.utf8), to: path)
    }
    return kept.map { Self.unescaped(String($0)) }
  }

  /// Adds an entry; a history that cannot be written is no reason to stop a chat.
  func append(_ entry: String) {
    if entry.isEmpty { return }
    try? PrivateFiles.append(Data((Self.escaped(entry) + "\n").utf8), to: path)
  }

  /// An entry on one line: `\n` for a newline and `\\` for a backslash.
  static func escaped(_ entry: String) -> String {
    var result = ""
    for character in entry.unicodeScalars {
      switch character {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\\": result += "\\\\"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  static func unescaped(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    var isEscape = false
    for scalar in line.unicodeScalars {
      if isEscape {
        result.append(scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
