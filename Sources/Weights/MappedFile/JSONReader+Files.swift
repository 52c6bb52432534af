package import JSON

extension JSONReader {
  /// The one value that a part of a file holds.
  static func read(_ bytes: FileBytes) throws(JSONError) -> JSONValue { try read(bytes.array) }

  /// The one value that a file holds.
  package static func read(path: String) throws(WeightsError) -> JSONValue {
    let file = try MappedFile(path: path)
    do {
      return try read(file.bytes)
    } catch {
      throw .invalid(file: path, .json(error))
    }
  }
}
