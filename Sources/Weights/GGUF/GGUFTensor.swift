/// A tensor of a GGUF file.
package struct GGUFTensor: Sendable {
  package let name: String
  /// Sizes, outermost first (GGUF itself lists the contiguous one first).
  package let shape: [Int]
  /// Nil if the type is unknown.
  package let encoding: GGUFEncoding?
  /// ggml's number of the type.
  package let typeID: UInt32
  /// The data; of an unknown type, all that lies before the next tensor.
  package let bytes: FileBytes

  /// Inputs: the contiguous dimension.
  package var columns: Int { shape.last ?? 0 }
  /// Rows of `columns` elements.
  package var rows: Int { shape.dropLast().reduce(1, *) }
  /// ggml's name of the type, or its number.
  package var typeName: String { encoding?.name ?? "type \(typeID)" }
}
