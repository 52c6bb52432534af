import Foundation
import Templates
import TestSupport
import Testing

/// Rendered conversations by the reference implementation, to the byte.
@Suite struct ChatTruthTests {
  static let models = ["smollm2", "qwen2.5", "qwen3", "qwen3.5"]

  @Test(arguments: models) func rendersAsTheReference(_ model: String) throws {
    let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)
    let truth = try TemplateValue(json: fixtures.data("chat/\(model).json"))
    let source = try #require(truth["template"]?.string)
    let cases = try #require(truth["cases"]?.elements)
    #expect(cases.count == 10)
    let template = try ChatTemplate(source: source)
    for one in cases {
      let label = try #require(one["label"]?.string)
      var variables = TemplateObject()
      if case .object(let arguments)? = one["kwargs"] { variables = arguments }
      variables["messages"] = one["messages"]
      variables["tools"] = one["tools"]
      variables["add_generation_prompt"] = one["add_generation_prompt"]
      if let message = one["error"]?.string {
        let error = #expect(throws: TemplateError.self) { try template.render(variables) }
        #expect(error?.kind == .raised(message), "\(label)")
      } else {
        let expected = try #require(one["expected"]?.string)
        let text = try template.render(variables)
        #expect(Array(text.utf8) == Array(expected.utf8), "\(label)")
      }
    }
  }
}

extension TemplateValue {
  subscript(key: String) -> TemplateValue? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var elements: [TemplateValue]? {
    guard case .array(let array) = self else { return nil }
    return array.elements
  }
}
