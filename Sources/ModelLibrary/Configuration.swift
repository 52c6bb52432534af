import FoundationEssentials
import Glibc
import JSON

/// config.json: what a user has chosen for good.
///
/// Keys that Pipit does not know are kept.
package struct Configuration: Sendable, Hashable {
  /// The model used when none is named.
  package var model: String? {
    get { values["model"]?.stringValue }
    set { values["model"] = newValue.map { .string($0) } }
  }

  /// How a model's thoughts are shown on a terminal, by the name that the chat gives it.
  package var thoughts: String? {
    get { values["thoughts"]?.stringValue }
    set { values["thoughts"] = newValue.map { .string($0) } }
  }

  /// The most bytes that prepared weights may take on the disk, all models together; 0 keeps none.
  package var preparedByteCount: Int? {
    get { values["prepared_bytes"]?.intValue }
    set { values["prepared_bytes"] = newValue.map { .integer($0) } }
  }

  private var values = JSONObject()

  private static let sizeLimit = 1_000_000

  /// Reads the file; one that does not exist is empty.
  ///
  /// - Throws: `LibraryError`, of a file that cannot be read too: taken for empty, it would be
  ///   replaced by the next change.
  package init(path: String) throws(LibraryError) {
    let bytes: [UInt8]
    do throws(LibraryError) {
      bytes = try SmallFiles.read(path, limit: Self.sizeLimit)
    } catch {
      if case .cannotRead(_, ENOENT) = error { return }
      throw error
    }
    let json: JSONValue
    do {
      json = try JSONReader.read(bytes)
    } catch {
      throw .invalidConfig(path: path, reason: "\(error)")
    }
    guard let object = json.objectValue else {
      throw .invalidConfig(path: path, reason: "it is not a JSON object")
    }
    values = object
    if let value = values["prepared_bytes"], value != .null, (value.intValue ?? -1) < 0 {
      throw .invalidConfig(path: path, reason: "\"prepared_bytes\" is not a number of bytes")
    }
    for key in ["model", "thoughts"] {
      switch values[key] {
      case nil, .null, .string: break
      default: throw .invalidConfig(path: path, reason: "\"\(key)\" is not a string")
      }
    }
  }

  package func write(to path: String) throws(LibraryError) {
    try PrivateFiles.write(Data((JSONValue.object(values).indentedText + "\n").utf8), to: path)
  }
}
