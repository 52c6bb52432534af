import Foundation
import TestSupport
import Testing

import Templates

/// What Jinja2 renders, expression by expression and block by block.
///
/// `Fixtures/jinja/make_truths.py` makes the truths.
@Suite struct JinjaTruthTests {
  @Test func rendersAsJinja() throws {
    let fixtures = Fixtures(bundlePath: Bundle.module.bundlePath)
    let truth = try TemplateValue(json: fixtures.data("jinja/truths.json"))
    let cases = try #require(truth["cases"]?.elements)
    #expect(cases.count > 300)
    guard case .object(let shared)? = truth["variables"] else {
      Issue.record("no variables")
      return
    }
    for one in cases {
      var variables = shared
      if case .object(let own)? = one["variables"] { variables = own }
      let source = try #require(one["template"]?.string)
      let outcome = Outcome(of: source, variables)
      if let text = one["text"]?.string {
        #expect(outcome == .text(text), "\(source)")
      } else if let message = one["raised"]?.string {
        #expect(outcome == .raised(message), "\(source)")
      } else {
        #expect(outcome == .failed, "\(source)")
      }
    }
  }

  private enum Outcome: Equatable {
    case text(String)
    case raised(String)
    case failed

    init(of source: String, _ variables: TemplateObject) {
      let time = TemplateTime(year: 2026, month: 7, day: 4, hour: 9, minute: 5, second: 3)
      do {
        self = .text(try ChatTemplate(source: source).render(variables, time: time))
      } catch {
        if case .raised(let message) = error.kind {
          self = .raised(message)
        } else {
          self = .failed
        }
      }
    }

    static func == (left: Outcome, right: Outcome) -> Bool {
      switch (left, right) {
      case (.text(let left), .text(let right)), (.raised(let left), .raised(let right)):
        Array(left.utf8) == Array(right.utf8)
      case (.failed, .failed): true
      default: false
      }
    }
  }
}
