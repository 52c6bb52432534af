/// What a reader makes of texts that RFC 8259 leaves open.
package enum JSONForm: Sendable, Hashable {
  /// A key that occurs twice, and half of a surrogate pair, are errors.
  case strict
  /// As Python's `json` reads them, for texts that other programs exchange: of equal keys the last
  /// counts, and half of a surrogate pair is U+FFFD.
  case lenient
}
