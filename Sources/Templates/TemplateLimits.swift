/// Bounds for templates, which come with model files and are not trusted.
package struct TemplateLimits: Sendable {
  package var sourceBytes = 1 << 20
  package var outputBytes = 16 << 20
  /// Evaluated nodes, plus one per 16 bytes of every string and four per element of every list
  /// made: a bound on time, and on memory with it.
  package var steps = 10_000_000
  /// Nested statements and expressions when parsing, nested evaluations when rendering, and nested
  /// lists and objects as values.
  package var depth = 200

  package init() {}
}
