/// Reads whole JSON texts.
package enum JSONReader {
  /// The one value that `bytes` hold.
  package static func read(
    _ bytes: [UInt8], form: JSONForm = .strict, depthLimit: Int = JSONCursor.depthLimit,
    valueLimit: Int = .max
  ) throws(JSONError) -> JSONValue {
    var cursor = JSONCursor(bytes, form: form, depthLimit: depthLimit, valueLimit: valueLimit)
    let value = try cursor.readValue()
    try cursor.expectEnd()
    return value
  }
}
