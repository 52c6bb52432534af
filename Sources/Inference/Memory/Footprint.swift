/// What a process holds in memory, each figure under the name of its metric, in bytes.
///
/// Runners count differently, so a figure without its metric compares with nothing. A metric that
/// the system does not give is nil.
package struct Footprint: Sendable, Hashable, Codable {
  /// The most that was ever resident: anonymous and file-backed (VmHWM).
  package var peakResident: Int?
  /// Resident and private to the process: what only ending it gives back (RssAnon).
  package var anonymous: Int?
  /// Resident pages of mapped files, which the system can drop and read again (RssFile).
  package var fileBacked: Int?
  /// Resident, shared pages divided among those who share them (Pss).
  package var proportional: Int?

  package init(
    peakResident: Int? = nil, anonymous: Int? = nil, fileBacked: Int? = nil,
    proportional: Int? = nil
  ) {
    self.peakResident = peakResident
    self.anonymous = anonymous
    self.fileBacked = fileBacked
    self.proportional = proportional
  }

  package enum CodingKeys: String, CodingKey {
    case peakResident = "peak_resident_bytes"
    case anonymous = "anonymous_bytes"
    case fileBacked = "file_backed_bytes"
    case proportional = "proportional_bytes"
  }
}
