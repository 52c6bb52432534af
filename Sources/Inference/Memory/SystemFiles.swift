import FoundationEssentials
import Kernels

/// The text files in which the system tells of itself; a test invents them.
package struct SystemFiles: Sendable {
  /// The text of a file, or nil if it cannot be read.
  package var text: @Sendable (_ path: String) -> String?
  /// The names in a folder; none if it cannot be read.
  package var names: @Sendable (_ folder: String) -> [String]

  package init(
    text: @escaping @Sendable (_ path: String) -> String?,
    names: @escaping @Sendable (_ folder: String) -> [String]
  ) {
    self.text = text
    self.names = names
  }

  /// Those of this machine.
  package static let live = SystemFiles(
    text: { systemText($0) },
    names: { folder in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] })

  /// Invented ones, by path.
  package static func invented(_ files: [String: String]) -> SystemFiles {
    SystemFiles(
      text: { files[$0] },
      names: { folder in
        let inside = files.keys.filter { $0.hasPrefix(folder + "/") }
        return Set(
          inside.compactMap { $0.dropFirst(folder.count + 1).split(separator: "/").first }
        ).map(String.init)
      })
  }

  /// The value after `key` and white space, in a file that has one such pair to a line.
  ///
  /// A unit of kB after the number is heeded: it means 1024 bytes.
  func number(_ key: String, in path: String) -> Int? {
    text(path).flatMap { Self.number(key, in: $0) }
  }

  static func number(_ key: String, in text: String) -> Int? {
    // Without an array of the lines, of which there may be hundreds: this runs during replies.
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = Substring(rest[..<end])
      rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[end...]
      guard line.utf8.starts(with: key.utf8) else { continue }
      let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ":" })
      guard fields.count > 1, fields[0] == key, let number = Int(fields[1]), number >= 0 else {
        continue
      }
      return fields.count > 2 && fields[2] == "kB" ? number.multiplied(clampingBy: 1024) : number
    }
    return nil
  }
}

extension Int {
  /// The product, or the largest number if it is larger.
  package func multiplied(clampingBy other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  /// The sum, or the largest number if it is larger.
  package func added(clamping other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
