import Kernels
import Transformers
import Weights

/// Where a model's weights come from, and where they are while it runs.
enum WeightPlacement {
  /// Prepared by an earlier load, in a file that is mapped.
  case mapped(PreparedFile, path: String)
  /// Prepared into a file of that path, which is then mapped.
  case written(path: String)
  /// Prepared in memory.
  case memory

  enum Kind: Hashable {
    case mapped, written, memory
  }

  var kind: Kind {
    switch self {
    case .mapped: .mapped
    case .written: .written
    case .memory: .memory
    }
  }

  /// Bytes of the weights that are in memory before the load.
  var residentByteCount: Int {
    if case .mapped(let file, _) = self { file.residentByteCount } else { 0 }
  }

  /// Whether a load that failed so can be had in another way.
  func isOwnFailure(_ error: any Error) -> Bool {
    switch self {
    case .mapped, .written: error is ArchiveError || error is TileSinkFailure
    case .memory: false
    }
  }
}
