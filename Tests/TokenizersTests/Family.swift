import Foundation
import Testing
import TestSupport

import Tokenizers

/// A real vocabulary with texts whose ids several implementations agree on.
enum Family: String, CaseIterable, CustomTestStringConvertible {
  case smollm2
  case qwen25 = "qwen2.5"
  case qwen3
  case qwen35 = "qwen3.5"

  var testDescription: String { rawValue }

  /// The tokenizer, made as from GGUF metadata.
  func tokenizer() throws -> Tokenizer {
    try Self.cache.value(for: rawValue) { try Tokenizer(definition()) }
  }

  func definition() throws -> TokenizerDefinition {
    let truth = try truth()
    var vocabulary = try VocabularyFixture(name: vocabularyName)
    for special in (truth.special + truth.userDefined).sorted(by: { $0.id < $1.id })
    where special.id >= vocabulary.tokens.count {
      while vocabulary.tokens.count < special.id {
        vocabulary.append("[PAD\(vocabulary.tokens.count)]", kind: 5)
      }
      let isControl = truth.special.contains { $0.id == special.id }
      vocabulary.append(special.text, kind: isControl ? 3 : 4)
    }
    return try TokenizerDefinition(
      ggufModel: "gpt2", pre: truth.pre, tokens: vocabulary.tokens, types: vocabulary.kinds,
      merges: vocabulary.merges)
  }

  func truth() throws -> Truth {
    try JSONDecoder().decode(Truth.self, from: Fixtures.tokenizers.data("\(rawValue).json"))
  }

  private var vocabularyName: String {
    switch self {
    case .smollm2: "smollm.vocab"
    case .qwen25, .qwen3: "qwen.vocab"
    case .qwen35: "qwen35.vocab"
    }
  }

  private static let cache = Cache<Tokenizer>()
}

extension Fixtures {
  static let tokenizers = Fixtures(bundlePath: Bundle.module.resourcePath ?? "")
}

/// Makes a value once for all tests.
final class Cache<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [String: Value] = [:]

  func value(for key: String, _ make: () throws -> Value) rethrows -> Value {
    lock.lock()
    defer { lock.unlock() }
    if let value = values[key] { return value }
    let value = try make()
    values[key] = value
    return value
  }
}

/// Texts and their ids.
struct Truth: Decodable {
  struct Special: Decodable {
    var id: Int
    var text: String

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      id = try container.decode(Int.self)
      text = try container.decode(String.self)
    }
  }

  struct Encoding: Decodable {
    var text: String
    var ids: [TokenID]
    var idsNoSpecial: [TokenID]

    enum CodingKeys: String, CodingKey {
      case text, ids
      case idsNoSpecial = "ids_no_special"
    }
  }

  struct Decoding: Decodable {
    var ids: [TokenID]
    var bytes: String
    var text: String

    enum CodingKeys: String, CodingKey {
      case ids, text
      case bytes = "bytes_hex"
    }
  }

  var pre: String
  var special: [Special]
  var userDefined: [Special]
  var cases: [Encoding]
  var decode: [Decoding]

  enum CodingKeys: String, CodingKey {
    case special, cases, decode
    case pre = "gguf_pre"
    case userDefined = "user_defined"
  }
}
