/// A GGUF file, or the first part of a split one together with its other parts.
package struct GGUFFile: Sendable {
  /// The path that was opened.
  package let path: String
  /// The metadata (of the first part, if split).
  package let metadata: GGUFMetadata
  /// All tensors in file order.
  package let tensors: [GGUFTensor]
  /// The mapped files, one per part.
  package let files: [MappedFile]
  private let index: [String: Int]

  /// Opens a file and, if it is the first of a split set, its siblings.
  package init(path: String) throws(WeightsError) {
    try self.init(MappedFile(path: path))
  }

  /// Reads a mapped file.
  package init(_ file: MappedFile) throws(WeightsError) {
    let first = try GGUFParser(file)
    let others = try GGUFSplit(first)?.openOthers() ?? []
    path = file.path
    metadata = first.metadata
    files = [file] + others.map(\.file)
    files.forEach { $0.adviseReadOnce() }
    tensors = first.tensors + others.flatMap(\.tensors)
    var index: [String: Int] = [:]
    for (position, tensor) in tensors.enumerated() {
      guard index.updateValue(position, forKey: tensor.name) == nil else {
        throw .invalid(file: path, .duplicate(kind: .tensor, name: tensor.name))
      }
    }
    self.index = index
  }

  /// A tensor by name; throws if there is none.
  package func tensor(_ name: String) throws(WeightsError) -> GGUFTensor {
    guard let position = index[name] else {
      throw .invalid(file: path, .tensor(name: name, .missing))
    }
    return tensors[position]
  }

  /// Whether there is such a tensor.
  package func contains(_ name: String) -> Bool { index[name] != nil }

  /// Bytes of all tensors.
  package var tensorByteCount: Int { tensors.reduce(0) { $0 + $1.bytes.count } }
}
