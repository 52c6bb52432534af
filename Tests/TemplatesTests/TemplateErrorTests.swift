import Testing

import Templates

@Suite struct TemplateErrorTests {
  private static func error(
    _ source: String, _ variables: TemplateObject = ["x": 5],
    limits: TemplateLimits = TemplateLimits()
  ) -> TemplateError? {
    do {
      _ = try ChatTemplate(source: source, limits: limits).render(variables)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    ("a\n  {{ x y }}", 2, 8), ("{{ 'abc }}", 1, 4), ("\n\n{% nope %}", 3, 1),
    ("{{ x | nope }}", 1, 8),
    ("ä {{ x.y.z }}", 1, 9), ("{% if x %}\n{{ x + 'a' }}{% endif %}", 2, 6), ("{{ 1 }} {# c", 1, 9),
    ("{% if x %}", 1, 11), ("{{ nope() }}", 1, 8), ("{{ x is nope }}", 1, 9), ("{{ (1 }}", 1, 7),
    ("{{\n  raise_exception('no')\n}}", 2, 18), ("{% for a, b in [1] %}{% endfor %}", 1, 1),
  ]) func pointsAtThePlace(_ source: String, _ line: Int, _ column: Int) throws {
    let error = try #require(Self.error(source))
    #expect((error.line, error.column) == (line, column), "\(error)")
  }

  @Test func keepsTheTemplatesOwnMessage() {
    let error = Self.error("{{ raise_exception('Roles must alternate: ' ~ x) }}")
    #expect(error?.kind == .raised("Roles must alternate: 5"))
    #expect(
      error?.description
        == "The chat template refuses this conversation: Roles must alternate: 5 "
        + "(chat template, line 1, column 19).")
  }

  @Test(arguments: ["extends 'a'", "include 'a'", "import 'a' as b", "do x", "block b", "trans"])
  func namesTagsThereAreNot(_ tag: String) throws {
    let error = try #require(Self.error("{% \(tag) %}"))
    guard case .unsupported(let feature) = error.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(feature.hasPrefix("the tag '"))
  }

  /// Templates that would take for ever, or all memory, or the stack.
  @Test(arguments: [
    ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", TemplateError.Limit.depth),
    ("{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}", .steps),
    ("{{ 'x' * 100000000000 }}", .outputBytes), ("{{ [0] * 100000000000 }}", .steps),
    ("{{ 'ab'.center(100000000000) }}", .outputBytes), ("{{ range(100000000000) }}", .steps),
    (
      "{% set ns = namespace(s='abcdefgh') %}{% for i in range(90) %}"
        + "{% set ns.s = ns.s ~ ns.s %}{% endfor %}", .outputBytes
    ),
    (
      "{% set ns = namespace(l=[]) %}{% for i in range(1000) %}{% set ns.l = [ns.l] %}{% endfor %}",
      .valueDepth
    ),
    (
      "{% set ns = namespace(l=[1]) %}{% for i in range(90) %}{% set ns.l = [ns.l, ns.l] %}"
        + "{% endfor %}{{ ns.l }}", .outputBytes
    ),
    (
      "{% set ns = namespace(l=[]) %}{% for i in range(90) %}{% set ns.l = [ns.l, ns.l] %}"
        + "{% endfor %}{{ ns.l == ns.l }}", .steps
    ),
    ("{{ 'a' | replace('', 'b' * 10000000) | replace('', 'b' * 10000000) }}", .outputBytes),
    ("{% for c in 'x' * 16000000 %}{{ c }}{% endfor %}", .steps),
    ("{{ \(String(repeating: "(", count: 999))1\(String(repeating: ")", count: 999)) }}", .depth),
    ("{{ \(String(repeating: "[", count: 999))\(String(repeating: "]", count: 999)) }}", .depth),
  ]) func boundsWhatATemplateTakes(_ source: String, _ limit: TemplateError.Limit) throws {
    var limits = TemplateLimits()
    if limit == .steps { limits.steps = 300_000 }
    if limit == .outputBytes { limits.outputBytes = 100_000 }
    let error = try #require(Self.error(source, limits: limits))
    guard case .limit(let found, _) = error.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(found == limit)
  }

  @Test(arguments: [
    ("{{ ", "-", "1 }}"), ("{{ ", "not ", "1 }}"), ("{{ x", ".a", " }}"), ("{{ 1", " + 1", " }}"),
    ("{{ 1", " if x else 2", " }}"), ("{{ 1", " if x", " }}"), ("{{ x", "|string", " }}"),
    ("{{ x", " ~ x", " }}"), ("", "{% if x %}", ""), ("", "{{ {'a':", ""), ("{{ x", "[0]", " }}"),
    ("{{ x", " and x", " }}"), ("{% if x %}", "{% elif x %}", "{% endif %}"),
    ("{{ x", " == x", " }}"), ("{{ 'a'", " 'b'", " }}"), ("", "{% for i in [1] %}", ""),
  ]) func endsOnLongChains(_ start: String, _ unit: String, _ end: String) {
    _ = Self.error(start + String(repeating: unit, count: 5000) + end)
  }

  @Test func limitsTheSource() {
    let error = Self.error(String(repeating: "a", count: 2 << 20))
    #expect(error?.kind == .limit(.sourceBytes, 1 << 20))
  }
}
