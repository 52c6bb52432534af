import JSON
import Weights

/// A value of a model's metadata, as it may be shown.
package enum MetadataValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case unsigned(UInt64)
  case number(Double)
  /// Cut when it is long; `length` is that of the whole, in characters.
  case text(String, length: Int)
  /// The first elements of an array.
  case array(first: [MetadataValue], count: Int)

  /// Characters of a text that are kept.
  private static let textLimit = 1000
  /// Elements of an array that are kept.
  private static let arrayLimit = 8
}

extension MetadataValue {
  private init(text: String) {
    self = .text(text.displayable(limit: Self.textLimit), length: text.unicodeScalars.count)
  }

  init(_ value: GGUFValue) {
    switch value {
    case .unsigned(let value): self = Int(exactly: value).map { .integer($0) } ?? .unsigned(value)
    case .signed(let value): self = .integer(Int(value))
    case .float(let value): self = .number(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self.init(text: value)
    case .array(let array):
      self = .array(
        first: array.prefix(Self.arrayLimit).map { MetadataValue($0) }, count: array.count)
    }
  }

  /// The members of a JSON object, those of objects in it under `outer.inner`.
  static func members(
    of object: JSONObject, under prefix: String = ""
  ) -> [(key: String, value: MetadataValue)] {
    object.flatMap { key, value in
      let name = prefix + key.displayable(limit: 200)
      if case .object(let inner) = value { return members(of: inner, under: name + ".") }
      return [(name, MetadataValue(value))]
    }
  }

  private init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .large(let value): self = .unsigned(value)
    case .number(let value): self = .number(value)
    case .string(let value): self.init(text: value)
    case .array(let values):
      self = .array(
        first: values.prefix(Self.arrayLimit).map { MetadataValue($0) }, count: values.count)
    case .object(let object): self.init(text: "an object of \(object.count) members")
    }
  }
}
