package import JSON
package import Weights

/// The settings of a model file under both of their names: GGUF's (without the architecture's prefix)
/// and config.json's.
///
/// A setting is nil where the file lacks it, or has it as null. Counts are positive and bounded, so
/// that products of a few of them cannot overflow.
package struct ModelSettings: Sendable {
  private enum Origin: Sendable {
    case gguf(GGUFMetadata, architecture: String)
    /// The text model's configuration.
    case json(JSONValue)
  }

  private let origin: Origin

  package init(_ metadata: GGUFMetadata) throws {
    guard let architecture = try metadata.string("general.architecture") else {
      throw ModelError.noArchitecture
    }
    origin = .gguf(metadata, architecture: architecture)
  }

  /// - Parameter configuration: the whole of config.json; a nested `text_config` is what counts.
  package init(configuration: JSONValue) {
    origin = .json(
      configuration["text_config"]?.objectValue == nil
        ? configuration : configuration["text_config"] ?? configuration)
  }

  var isGGUF: Bool {
    if case .gguf = origin { true } else { false }
  }

  func architecture() throws -> Architecture {
    switch origin {
    case .gguf(_, let name):
      return try .named(name, in: .gguf)
    case .json(let json):
      guard let name = json["model_type"]?.stringValue else { throw ModelError.noArchitecture }
      return try .named(name, in: .huggingFace)
    }
  }

  // MARK: One value

  func integer(_ gguf: String?, _ json: String?) throws -> Int? {
    switch origin {
    case .gguf(let metadata, let architecture):
      guard let gguf else { return nil }
      return try metadata.integer("\(architecture).\(gguf)")
    case .json(let object):
      guard let json, let value = object[json] else { return nil }
      guard let integer = value.intValue else {
        throw ModelError.setting(json, "it is not an integer")
      }
      return integer
    }
  }

  func number(_ gguf: String?, _ json: String?) throws -> Double? {
    switch origin {
    case .gguf(let metadata, let architecture):
      guard let gguf else { return nil }
      return try metadata.number("\(architecture).\(gguf)")
    case .json(let object):
      guard let json else { return nil }
      return try object.finiteNumber(json)
    }
  }

  func boolean(json: String) -> Bool? {
    guard case .json(let object) = origin else { return nil }
    return object[json]?.boolValue
  }

  func strings(json: String) -> [String]? {
    guard case .json(let object) = origin else { return nil }
    return object[json]?.arrayValue?.compactMap(\.stringValue)
  }

  /// Whether config.json has a list there that is not empty.
  func hasElements(json: String) -> Bool {
    guard case .json(let object) = origin else { return false }
    return object[json]?.arrayValue?.isEmpty == false
  }

  /// An object inside config.json.
  func object(json: String) -> JSONValue? {
    guard case .json(let object) = origin, let value = object[json], value.objectValue != nil else {
      return nil
    }
    return value
  }

  func string(gguf: String) throws -> String? {
    guard case .gguf(let metadata, let architecture) = origin else { return nil }
    return try metadata.string("\(architecture).\(gguf)")
  }

  // MARK: Checked values

  func number(
    _ gguf: String?, _ json: String?, default fallback: Double, in range: ClosedRange<Double>
  ) throws -> Double {
    let value = try number(gguf, json) ?? fallback
    guard range.contains(value) else {
      throw ModelError.setting(
        name(gguf, json), "\(value) is not within \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func countIfPresent(_ gguf: String?, _ json: String?, atMost limit: Int) throws -> Int? {
    guard let value = try integer(gguf, json) else { return nil }
    return try checked(value, name(gguf, json), atMost: limit)
  }

  func count(_ gguf: String?, _ json: String?, atMost limit: Int) throws -> Int {
    guard let value = try countIfPresent(gguf, json, atMost: limit) else {
      throw ModelError.missingSetting(name(gguf, json))
    }
    return value
  }

  /// A count for each layer; one number stands for all of them.
  func counts(
    _ gguf: String, _ json: String, layers: Int, atMost limit: Int
  ) throws -> [Int] {
    let values: [Int]
    switch origin {
    case .gguf(let metadata, let architecture):
      guard let found = try metadata.integers("\(architecture).\(gguf)", perLayer: layers) else {
        throw ModelError.missingSetting(name(gguf, json))
      }
      values = found
    case .json:
      values = Array(repeating: try count(gguf, json, atMost: limit), count: layers)
    }
    return try values.map { try checked($0, name(gguf, json), atMost: limit) }
  }

  private func checked(_ value: Int, _ name: String, atMost limit: Int) throws -> Int {
    guard value >= 1, value <= limit else {
      throw ModelError.setting(name, "\(value) is not within 1 to \(limit)")
    }
    return value
  }

  /// The setting's name as this kind of file spells it.
  func name(_ gguf: String?, _ json: String?) -> String {
    switch origin {
    case .gguf(_, let architecture): "\(architecture).\(gguf ?? json ?? "")"
    case .json: json ?? gguf ?? ""
    }
  }
}

extension JSONValue {
  /// A number; nil where it is missing or null.
  ///
  /// - Throws: ``ModelError/setting(_:_:)`` for something else.
  func finiteNumber(_ key: String) throws -> Double? {
    guard let value = self[key] else { return nil }
    guard let number = value.doubleValue, number.isFinite else {
      throw ModelError.setting(key, "it is not a finite number")
    }
    return number
  }
}
