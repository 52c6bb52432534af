/// A tensor of a GGUF file.
package struct GGUFTensor: Sendable {
  package let name: String
  /// Sizes, outermost first (GGUF itself lists the contiguous one first).
  package let shape: [Int]
  package let encoding: GGUFEncoding
  /// ggml's number of the type.
  package let typeID: UInt32
  /// The data.
  package let bytes: FileBytes

  /// Inputs: the contiguous dimension.
  package var columns: Int { shape.last ?? 0 }
  /// Rows of `columns` elements.
  package var rows: Int { shape.dropLast().reduce(1, *) }
  /// Bytes of one row.
  var rowByteCount: Int { columns / encoding.block * encoding.blockByteCount }
}
