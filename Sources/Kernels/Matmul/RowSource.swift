/// Rows of a matrix in a file, unpacked for tiling.
package protocol RowSource: Sendable {
  /// The tensor's name, for messages.
  var name: String { get }
  /// Output rows.
  var rows: Int { get }
  /// Inputs of a row.
  var columns: Int { get }
  /// The form that `unpack` gives.
  var format: MatrixFormat { get }
  /// Bytes the rows take in the file.
  var sourceByteCount: Int { get }

  /// Unpacks one row.
  ///
  /// `codes` receives `columns` unsigned codes, one per byte (none for dense). `scales` and
  /// `offsets` receive raw little-endian bits in the storage type:
  /// - grouped: columns / group values of the scale type; as many offsets if affine, else none.
  /// - superblockAffine: per 256 columns scales d (2 bytes), s₀…s₇ (1 byte each), and offsets dmin,
  ///   m₀…m₇ alike.
  /// - superblockSymmetric: per 256 columns scales d (2 bytes), s₀…s₁₅ (1 byte each).
  /// - dense: the elements themselves in `scales`.
  func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws

  /// Says that the source pages of these rows are no longer needed.
  func release(rows: Range<Int>)
}
