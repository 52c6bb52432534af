import JSON
import Weights

/// One of the files that the tensors are divided among.
package struct Shard: Sendable {
  let name: String
  let tensors: [OutputTensor]

  /// The size above which mlx-lm begins another file.
  package static let usualLimit = 5 << 30

  /// What mlx-lm writes, and knows its own files by.
  static let metadata = [("format", "mlx")]

  var entries: [SafetensorsEntry] { tensors.flatMap(\.entries) }

  /// Bytes of the file.
  var byteCount: Int {
    SafetensorsWriter.headerByteCount(entries, metadata: Self.metadata)
      + entries.reduce(0) { $0 + $1.byteCount }
  }

  /// The tensors in their order, divided where a file would become too large; the parts of one stay
  /// together.
  static func shards(of tensors: [OutputTensor], limit: Int) -> [Shard] {
    var groups: [[OutputTensor]] = []
    var size = 0
    for tensor in tensors {
      if groups.isEmpty || size + tensor.byteCount > limit {
        groups.append([])
        size = 0
      }
      groups[groups.count - 1].append(tensor)
      size += tensor.byteCount
    }
    if groups.count == 1 { return [Shard(name: "model.safetensors", tensors: groups[0])] }
    return groups.enumerated().map { index, tensors in
      Shard(
        name: "model-\(padded(index + 1))-of-\(padded(groups.count)).safetensors",
        tensors: tensors)
    }
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  /// The contents of model.safetensors.index.json.
  static func index(_ shards: [Shard], byteCount: Int, parameterCount: Int) -> JSONValue {
    let places = shards.flatMap { shard in
      shard.entries.map { ($0.name, JSONValue.string(shard.name)) }
    }
    return [
      "metadata": [
        "total_size": .integer(byteCount), "total_parameters": .integer(parameterCount),
      ],
      "weight_map": .members(places.sorted { $0.0 < $1.0 }),
    ]
  }
}
