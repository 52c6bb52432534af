/// What bounds the number of threads that are worth starting.
package struct ThreadLimits: Sendable, Hashable {
  /// Processors that this process may run on.
  package var allowed: Int
  /// Whole processors that its control groups grant; nil without a limit.
  package var quota: Int?
  /// Physical cores among those allowed; nil where the system does not tell.
  package var cores: Int?

  init(allowed: Int, quota: Int?, cores: Int?) {
    self.allowed = allowed
    self.quota = quota
    self.cores = cores
  }

  /// The number to start: the least of them, and at least one.
  package var count: Int { max(1, min(allowed, quota ?? allowed, cores ?? allowed)) }

  /// Those of this process.
  package static func probe() -> ThreadLimits {
    ThreadLimits(root: "", affinity: allowedProcessors())
  }
}
