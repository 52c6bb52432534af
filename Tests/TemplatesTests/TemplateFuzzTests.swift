import Foundation
import TestSupport
import Testing

import Templates

/// Damaged templates end in text or in an error, and soon.
///
/// `PIPIT_FUZZ_ITERATIONS` sets how many are tried.
@Suite(.serialized) struct TemplateFuzzTests {
  private static let fragments = [
    "{{", "}}", "{%", "%}", "{#", "#}", "-%}", "{%-", "(", ")", "[", "]", "{", "}", "|", ".", ",",
    " if ", " else ", " in ", " not ", " is ", "for", "endfor", "set", "macro", "endmacro", "raw",
    "loop.", "namespace(", "range(99999)", "[::-1]", "'", "\"", "\\", "\n", "0x", "1e999", "-",
    "**", "//0", "%0", "~", "messages", "|tojson(indent=9)", "|sort", "|map('map','map')", "é",
    "\u{FDCF}", "|int", "9223372036854775807", "+1", "*9999", "|join", "varargs", "caller()",
  ]

  @Test(arguments: ChatTruthTests.models) func damagedTemplatesEnd(_ model: String) throws {
    let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)
    let truth = try TemplateValue(json: fixtures.data("chat/\(model).json"))
    let source = Array(try #require(truth["template"]?.string).unicodeScalars)
    let variables = try (try #require(truth["cases"]?.elements)).map { one in
      TemplateObject([
        ("messages", try #require(one["messages"])), ("tools", try #require(one["tools"])),
        ("add_generation_prompt", true),
      ])
    }
    let iterations = Mutator.iterations(usual: 2000) / ChatTruthTests.models.count
    var limits = TemplateLimits()
    if !Mutator.isFuzzing {
      limits.steps = 200_000
      limits.outputBytes = 1 << 20
    }
    var generator = SeededGenerator(seed: 7)
    var rendered = 0
    var slowest = 0.0
    let before = ResidentMemory.peak ?? 0
    for iteration in 0..<iterations {
      let damaged = Self.damaged(source, &generator)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: damaged)
      let time = ThreadTime.measure {
        guard let template = try? ChatTemplate(source: String(text), limits: limits) else { return }
        if (try? template.render(variables[iteration % variables.count])) != nil { rendered += 1 }
      }
      slowest = max(slowest, time)
    }
    #expect(rendered > 0 || iterations < 100)
    #expect(slowest < 2)
    let growth = (ResidentMemory.peak ?? 0) - before
    if Mutator.isFuzzing {
      #expect(growth < 64 << 20)
      print(
        "fuzz: template of \(model): \(iterations) files, \(rendered) rendered, slowest",
        "\(Int(slowest * 1000)) ms, \(growth >> 20) MB more resident")
    }
  }

  private static func damaged(
    _ source: [Unicode.Scalar], _ generator: inout SeededGenerator
  ) -> [Unicode.Scalar] {
    var text = source
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let start = Int.random(in: 0..<text.count, using: &generator)
      let end = min(text.count, start + Int.random(in: 0...12, using: &generator))
      let other = Int.random(in: 0..<source.count, using: &generator)
      let length = min(source.count - other, Int.random(in: 1...60, using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: text.removeSubrange(start..<end)
      case 1: text.insert(contentsOf: source[other..<(other + length)], at: start)
      default:
        let fragment = fragments.randomElement(using: &generator) ?? ""
        text.replaceSubrange(start..<end, with: fragment.unicodeScalars)
      }
      if text.isEmpty { text = source }
    }
    return text
  }
}
