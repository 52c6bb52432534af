/// Rows of a matrix in a file, unpacked one at a time for tiling.
package protocol RowSource: Sendable {
  var name: String { get }
  var rows: Int { get }
  var columns: Int { get }
  var format: MatrixFormat { get }
  /// Bytes the rows take in the file.
  var sourceByteCount: Int { get }

  /// Unpacks one row; called on several threads at once.
  ///
  /// `codes` are unsigned, one per byte (`columns` of them; none for dense matrices). `scales` and
  /// `offsets` are raw little-endian values of the storage type, as many bytes as
  /// ``MatrixFormat/rowByteCounts(columns:)`` says:
  /// - grouped: columns / group scales; as many offsets if affine, else none.
  /// - superblockAffine, per 256 inputs: scales d (2 bytes), s_0…s_7; offsets dmin, m_0…m_7.
  /// - superblockSymmetric, per 256 inputs: scales d (2 bytes), sc_0…sc_15.
  /// - dense: scales are the elements themselves.
  func unpack(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>) throws

  /// How the codes lie that ``copy(row:codes:scales:offsets:)`` gives; nil if rows can only be unpacked.
  var packing: CodePacking? { get }

  /// Gives one row as ``unpack(row:codes:scales:offsets:)`` does, but with its codes packed as
  /// ``packing`` says, in columns · bits / 8 bytes; called only if that is not nil.
  func copy(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>) throws

  /// Called when the source pages of these rows are no longer needed.
  func release(rows: Range<Int>)
}

extension RowSource {
  package var packing: CodePacking? { nil }

  package func copy(
    row: Int, codes: inout MutableSpan<UInt8>, scales: inout MutableSpan<UInt8>,
    offsets: inout MutableSpan<UInt8>
  ) throws {
    preconditionFailure("\(name) has no packed codes")
  }

  package func release(rows: Range<Int>) {}
}
