/// What is left alone of each limit, and why: the only place where such fractions are named.
package enum MemorySlack {
  /// Bytes not to be counted on.
  ///
  /// - machine: a fortieth, 64 to 512 MB. The kernel's figure is an estimate (it takes nearly all
  ///   page cache for free), and other programs go on allocating.
  /// - control group: a fortieth, 16 to 256 MB. Page tables and other kernel memory of the process
  ///   are charged to the group, and the neighbours in it go on allocating.
  /// - address space: 128 MB. Each thread's stack and malloc arena reserve more than they use.
  /// - data: 32 MB, for stacks and arenas.
  package static func bytes(of limit: MemoryLimit) -> Int {
    switch limit.kind {
    case .machine: min(max(limit.capacity / 40, 64_000_000), 512_000_000)
    case .controlGroup: min(max(limit.capacity / 40, 16_000_000), 256_000_000)
    case .addressSpace: 128_000_000
    case .data: 32_000_000
    }
  }

  /// Below this much free memory a reply is stopped: half the slack, so that stopping comes after
  /// admission has become impossible and before the system is in need.
  package static func redLine(of limit: MemoryLimit) -> Int {
    bytes(of: limit) / 2
  }

  /// A model fits well up to this share of what is available.
  package static let comfortablePercent = 70
}
