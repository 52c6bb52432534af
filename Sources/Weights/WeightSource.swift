package import Kernels

/// Who wrote a checkpoint, which decides names and conventions.
package enum CheckpointForm: Sendable, Hashable {
  /// llama.cpp's converter.
  case gguf
  /// mlx-lm.
  case mlx
  /// Transformers: plain tensors in its own naming.
  case huggingFace
}

/// Named tensors that a model is built from.
///
/// Nothing is read before it is asked for; a tensor that is never asked for costs nothing.
package protocol WeightSource: Sendable {
  /// The path it was opened by, for messages.
  var path: String { get }
  /// Who wrote it.
  var form: CheckpointForm { get }
  /// All tensors, in file order.
  var tensorNames: [String] { get }
  /// Whether there is such a tensor.
  func contains(_ name: String) -> Bool
  /// The stored shape, outermost first: rows, columns. Packed MLX codes have the shape of their
  /// 32-bit words.
  func shape(_ name: String) throws -> [Int]
  /// Bytes of the tensor in its file.
  func byteCount(_ name: String) throws -> Int
  /// A matrix of rows × columns; outer dimensions count as rows.
  ///
  /// `columns`, the inputs that the model's configuration gives, is what tells the width of packed
  /// MLX codes, and is checked in every other case.
  func matrix(_ name: String, columns: Int?) throws -> any RowSource
  /// All elements as float32, flattened. Refuses values that are not finite.
  func vector(_ name: String) throws -> [Float]
  /// Lets the kernel drop every page of the files; what is read afterwards is only slower.
  ///
  /// A small tensor is read together with a megabyte around it, which nobody else gives back.
  func releasePages()
}

extension WeightSource {
  /// A matrix whose columns the file tells.
  package func matrix(_ name: String) throws -> any RowSource {
    try matrix(name, columns: nil)
  }

  /// A vector whose length the model's configuration gives; checked before anything is allocated.
  package func vector(_ name: String, count: Int) throws -> [Float] {
    let shape = try shape(name)
    guard shape.reduce(1, *) == count else {
      throw WeightsError.invalid(
        file: path, .tensor(name: name, .shape(expected: "\(count) elements", found: shape)))
    }
    return try vector(name)
  }
}
