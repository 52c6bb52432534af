import FoundationEssentials

/// config.json: what a user has chosen for good.
///
/// Keys that Pipit does not know are kept.
package struct Configuration: Sendable, Hashable {
  /// The model used when none is named.
  package var model: String? {
    get {
      if case .string(let name)? = values["model"] { return name }
      return nil
    }
    set { values["model"] = newValue.map { .string($0) } }
  }

  private var values: [String: JSONValue] = [:]

  /// Reads the file; one that does not exist is empty.
  package init(path: String) throws(LibraryError) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return }
    do {
      values = try JSONDecoder().decode([String: JSONValue].self, from: data)
    } catch {
      throw .invalidConfig(path: path, reason: "it is not a JSON object")
    }
    switch values["model"] {
    case nil, .null, .string: break
    default: throw .invalidConfig(path: path, reason: "\"model\" is not a string")
    }
  }

  package func write(to path: String) throws(LibraryError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard var data = try? encoder.encode(values) else {
      throw .invalidConfig(path: path, reason: "it cannot be encoded")
    }
    data.append(0x0A)
    try PrivateFiles.write(data, to: path)
  }
}
