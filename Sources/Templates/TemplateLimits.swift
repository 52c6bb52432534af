/// Bounds for templates, which come with model files and are not trusted.
package struct TemplateLimits: Sendable {
  package var sourceBytes = 1 << 20
  package var outputBytes = 16 << 20
  /// Evaluated nodes, plus one per 16 bytes of every string and one per element of every list made.
  package var steps = 50_000_000
  /// Nested statements and expressions when parsing, nested evaluations when rendering, and nested
  /// lists and objects as values.
  package var depth = 200

  package init() {}
}
