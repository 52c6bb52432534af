import FoundationEssentials

/// A model split into files `…-00001-of-0000N.gguf`.
///
/// The first holds the metadata, all hold tensors.
struct GGUFSplit {
  private let first: GGUFParser
  private let count: Int
  /// The path without `-00001-of-0000N.gguf`.
  private let stem: String

  /// Nil if the file is not split; throws if it is split but not the first part.
  init?(_ parser: GGUFParser) throws(WeightsError) {
    let path = parser.file.path
    guard let count = try parser.metadata.integer("split.count"), count > 1 else { return nil }
    guard count <= 99_999 else {
      throw .invalid(file: path, .metadata(key: "split.count", .outOfRange(String(count))))
    }
    first = parser
    self.count = count
    let number = try parser.metadata.integer("split.no") ?? 0
    guard (0..<count).contains(number) else {
      throw .invalid(file: path, .metadata(key: "split.no", .outOfRange(String(number))))
    }
    let suffix = Self.suffix(number: number, count: count)
    guard path.hasSuffix(suffix) else {
      throw .invalid(file: path, .split(.name(count: count)))
    }
    stem = String(path.dropLast(suffix.count))
    guard number == 0 else {
      throw .invalid(
        file: path,
        .split(
          .notFirst(
            number: number + 1, count: count, first: stem + Self.suffix(number: 0, count: count))))
    }
  }

  /// Opens the second and later parts and checks that they belong together.
  func openOthers() throws(WeightsError) -> [GGUFParser] {
    var parts: [GGUFParser] = []
    for number in 1..<count {
      let path = stem + Self.suffix(number: number, count: count)
      guard FileManager.default.fileExists(atPath: path) else {
        throw .invalid(file: first.file.path, .split(.partMissing(path)))
      }
      let part = try GGUFParser(MappedFile(path: path))
      let foundNumber = try part.metadata.integer("split.no") ?? -1
      let foundCount = try part.metadata.integer("split.count") ?? 0
      guard foundNumber == number, foundCount == count else {
        throw .invalid(
          file: first.file.path,
          .split(.partMismatch(part: path, number: foundNumber &+ 1, count: foundCount)))
      }
      parts.append(part)
    }
    let found = parts.reduce(first.tensors.count) { $0 + $1.tensors.count }
    if let expected = try first.metadata.integer("split.tensors.count"), expected != found {
      throw .invalid(
        file: first.file.path, .split(.tensorCount(expected: expected, found: found)))
    }
    return parts
  }

  private static func suffix(number: Int, count: Int) -> String {
    "-\(paddedNumber(number + 1))-of-\(paddedNumber(count)).gguf"
  }
}
