import FoundationEssentials
import Weights

/// The files of a model, by their names alone.
enum ModelFiles {
  /// Bytes of the files that loading a model maps; 0 where there are none, of which others tell.
  static func byteCount(at path: String) -> Int {
    guard ModelPackage.isCheckpoint(path) else {
      return parts(of: path).reduce(0) { $0.added(clamping: byteCount(ofFile: $1)) }
    }
    guard !path.hasSuffix(".safetensors") else { return byteCount(ofFile: path) }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".safetensors") || $0 == "tokenizer.json" }
      .reduce(0) { $0.added(clamping: byteCount(ofFile: path + "/" + $1)) }
  }

  private static func byteCount(ofFile path: String) -> Int {
    FileIdentity(path: path).map { Int(clamping: $0.size) } ?? 0
  }

  /// A GGUF file, or all parts of one that is split: `NAME-00001-of-00003.gguf`.
  private static func parts(of path: String) -> [String] {
    let tail = path.suffix("-of-00003.gguf".count)
    guard tail.hasPrefix("-of-"), tail.lowercased().hasSuffix(".gguf"),
      let count = Int(tail.dropFirst(4).prefix(5)), (1...1000).contains(count)
    else { return [path] }
    let stem = path.dropLast(tail.count + 5)
    return (1...count).map { number in
      let digits = String(number)
      return stem + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + tail
    }
  }
}
