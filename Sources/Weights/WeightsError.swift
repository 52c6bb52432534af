/// Why weights cannot be read.
package enum WeightsError: Error, Hashable, Sendable {
  /// The operating system refused: no such file, no permission, an I/O error.
  case system(file: String, operation: FileOperation, code: Int32)
  /// The file is damaged, or not what it claims to be.
  case invalid(file: String, FileProblem)
  /// The file may be sound, but holds what Pipit cannot use.
  case unsupported(file: String, UnsupportedFeature)

  /// The file concerned.
  package var file: String {
    switch self {
    case .system(let file, _, _), .invalid(let file, _), .unsupported(let file, _): file
    }
  }
}

/// What was tried on a file.
package enum FileOperation: String, Hashable, Sendable {
  case open = "opened"
  case examine = "examined"
  case map = "mapped into memory"
  case list = "listed"
}

/// What a sound file may hold and Pipit has no code for.
package enum UnsupportedFeature: Hashable, Sendable {
  case ggufVersion(UInt32)
  case bigEndian(version: UInt32)
  /// A ggml type known by name, or only by number.
  case tensorType(tensor: String, id: UInt32, name: String?)
  case dtype(tensor: String, name: String)
  /// A way of quantising other than MLX's affine one: mxfp4, nvfp4, awq, gptq, ….
  case quantisation(String)
}
