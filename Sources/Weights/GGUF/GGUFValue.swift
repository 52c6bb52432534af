/// A metadata value.
package enum GGUFValue: Sendable {
  case unsigned(UInt64)
  case signed(Int64)
  case float(Double)
  case bool(Bool)
  /// Text, with U+FFFD for what is not UTF-8.
  case string(String)
  case array(GGUFArray)
}
