/// One of the bounds that a process's memory has, in bytes.
package struct MemoryLimit: Sendable, Hashable, Codable {
  /// What sets it.
  package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// The memory of the machine.
    case machine
    /// A control group's limit.
    case controlGroup = "control_group"
    /// The process's address space (RLIMIT_AS).
    case addressSpace = "address_space"
    /// The process's private writable memory (RLIMIT_DATA).
    case data
  }

  package var kind: Kind
  /// Of a control group, its folder; else empty.
  package var place: String
  /// The bound itself.
  package var capacity: Int
  /// What can still be taken, slack not yet set aside.
  package var free: Int
  /// Of a control group: pages of mapped files that are in use and so count as taken.
  package var activeFilePages: Int

  package init(
    _ kind: Kind, place: String = "", capacity: Int, free: Int, activeFilePages: Int = 0
  ) {
    self.kind = kind
    self.place = place
    self.capacity = capacity
    self.free = max(0, free)
    self.activeFilePages = activeFilePages
  }

  /// What can be counted on: free less slack.
  package var available: Int { max(0, free - MemorySlack.bytes(of: self)) }

  package enum CodingKeys: String, CodingKey {
    case kind, place
    case capacity = "capacity_bytes"
    case free = "free_bytes"
    case activeFilePages = "active_file_bytes"
  }
}

extension MemoryLimit: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .machine: "the machine's memory"
    case .controlGroup: "the limit of the control group \(place)"
    case .addressSpace: "the process's address-space limit"
    case .data: "the process's data limit"
    }
  }
}
