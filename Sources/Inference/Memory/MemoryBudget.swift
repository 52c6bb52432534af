/// Decides whether something may be allocated, before it is.
package struct MemoryBudget: Sendable {
  /// Whether a refusal for memory is overridden (`--force`); the context's end never is.
  package var isForced: Bool

  package init(isForced: Bool = false) {
    self.isForced = isForced
  }
}
