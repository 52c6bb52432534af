import JSON
import FoundationEssentials

/// The files of a checkpoint: `model*.safetensors` in a directory, or one file.
///
/// The index file, where there is one, is not needed to find a tensor; it and the shards' own names
/// tell whether a shard is missing.
struct SafetensorsLayout {
  let shards: [String]
  let config: JSONValue?

  init(path: String) throws(WeightsError) {
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory
    else {
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      shards = [path]
      config = try Self.json(directory + "/config.json")
      return
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .invalid(file: path, .directory("cannot be listed"))
    }
    let found = names.filter { $0.hasPrefix("model") && $0.hasSuffix(".safetensors") }.sorted()
    guard !found.isEmpty else {
      throw .invalid(file: path, .directory("holds no model*.safetensors"))
    }
    let expected = try Self.expectedShards(found, path: path)
    let missing = expected.subtracting(found).sorted()
    guard missing.isEmpty else {
      throw .invalid(file: path, .directory("is incomplete: \(missing[0]) is missing"))
    }
    shards = found.map { "\(path)/\($0)" }
    config = try Self.json(path + "/config.json")
  }

  /// The shards that the index and the shards' own names speak of.
  private static func expectedShards(
    _ found: [String], path: String
  ) throws(WeightsError) -> Set<String> {
    var expected: Set<String> = []
    let index = try json(path + "/model.safetensors.index.json")
    for file in index?["weight_map"]?.objectValue?.values ?? [] {
      if let name = file.stringValue { expected.insert(name) }
    }
    for name in found {
      // model-00001-of-00003.safetensors
      let parts = name.dropLast(".safetensors".count).split(separator: "-")
      guard parts.count >= 4, parts[parts.count - 2] == "of",
        let count = Int(parts[parts.count - 1]),
        Int(parts[parts.count - 3]) != nil, (1...99_999).contains(count)
      else { continue }
      let stem = parts.dropLast(3).joined(separator: "-")
      for number in 1...count {
        expected.insert(
          "\(stem)-\(paddedNumber(number))-of-\(paddedNumber(count)).safetensors")
      }
    }
    return expected
  }

  private static func json(_ path: String) throws(WeightsError) -> JSONValue? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try JSONReader.read(path: path)
  }
}
