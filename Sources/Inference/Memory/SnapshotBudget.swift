/// How much memory snapshots of what was read may take.
package enum SnapshotBudget {
  /// Above this, more snapshots are hardly of use.
  private static let most = 1_000_000_000

  /// A tenth of what the model leaves, at most 1 GB; but never less than two snapshots of a model
  /// that depends on them, each of which shares all but `snapshot` bytes with others.
  package static func bytes(beside plan: MemoryPlan, available: Int?, snapshot: Int) -> Int {
    let rest = max(0, (available ?? .max) - plan.fixed.total)
    return max(min(most, rest / 10), snapshot.multiplied(clampingBy: 2))
  }
}
