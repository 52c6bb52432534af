/// Bounds for templates, which come with model files and are not trusted.
package struct TemplateLimits: Sendable {
  package var sourceBytes = 1 << 20
  package var outputBytes = 16 << 20
  /// Evaluated nodes, plus one per 16 bytes of every string and four per element of every list
  /// made: a bound on time, and on memory with it.
  package var steps = 10_000_000
  /// Nested statements and expressions when parsing, and nested evaluations when rendering.
  ///
  /// A level takes up to 3 KB of stack, 12 KB in a debug build; known templates need up to 40.
  package var depth = 80
  /// Lists and objects nested in each other as values.
  package var valueDepth = 128

  package init() {}
}
