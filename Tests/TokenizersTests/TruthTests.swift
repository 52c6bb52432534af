import Foundation
import Testing

import Tokenizers

/// The ids that Hugging Face's tokenizers and tiktoken agree on.
@Suite struct TruthTests {
  @Test(arguments: Family.allCases)
  func encodesWithControlTokens(family: Family) throws {
    let tokenizer = try family.tokenizer()
    for example in try family.truth().cases {
      #expect(try tokenizer.encode(example.text, .matched) == example.ids, "\(example.text)")
    }
  }

  @Test(arguments: Family.allCases)
  func encodesWithoutControlTokens(family: Family) throws {
    let tokenizer = try family.tokenizer()
    for example in try family.truth().cases {
      let ids = example.idsNoSpecial
      #expect(try tokenizer.encode(example.text, .text) == ids, "\(example.text)")
      let guarded = tokenizer.guarding(example.text)
      #expect(try tokenizer.encode(guarded, .guarded) == ids, "\(example.text)")
    }
  }

  @Test(arguments: Family.allCases)
  func decodes(family: Family) throws {
    let tokenizer = try family.tokenizer()
    for example in try family.truth().decode {
      #expect(tokenizer.decode(example.ids, skippingControl: false) == example.text)
      let bytes = example.ids.flatMap { tokenizer.bytes(of: $0) }
      #expect(bytes.map { String(format: "%02x", $0) }.joined() == example.bytes)
    }
  }
}
