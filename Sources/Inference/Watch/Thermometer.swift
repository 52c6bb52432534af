/// The temperatures of a machine, as far as it tells when it is about to switch itself off.
///
/// Linux does so at a zone's critical trip; computing has to stop before. A zone without such a trip,
/// or with numbers that make no sense, is not there.
package struct Thermometer: Sendable {
  /// A zone that has come to its limit.
  package struct Heat: Sendable, Hashable {
    /// What the system calls the zone, such as `x86_pkg_temp`.
    package var zone: String
    /// Degrees Celsius.
    package var degrees: Int
    /// Degrees at which the machine has to be let cool.
    package var limit: Int

    package init(zone: String, degrees: Int, limit: Int) {
      self.zone = zone
      self.degrees = degrees
      self.limit = limit
    }
  }

  private struct Zone {
    var folder: String
    var name: String
    /// Thousandths of a degree.
    var limit: Int
  }

  private let files: SystemFiles
  private let zones: [Zone]

  private static let root = "/sys/class/thermal"
  /// Thousandths of a degree between the limit and the trip at which the machine goes off: some
  /// seconds of heating.
  private static let margin = 5000
  /// Thousandths of a degree by which a zone has to cool before computing goes on.
  private static let cooling = 3000
  private static let sensible = 40_000...150_000

  /// Looks for zones, once.
  package init(_ files: SystemFiles = .live) {
    self.files = files
    zones = files.names(Self.root).sorted().compactMap { name in
      guard name.hasPrefix("thermal_zone") else { return nil }
      return Self.zone("\(Self.root)/\(name)", files)
    }
  }

  private static func zone(_ folder: String, _ files: SystemFiles) -> Zone? {
    var limits: [Int] = []
    var trip = 0
    while let kind = files.line("\(folder)/trip_point_\(trip)_type") {
      if let degrees = files.line("\(folder)/trip_point_\(trip)_temp").flatMap({ Int($0) }),
        sensible.contains(degrees)
      {
        switch kind {
        case "critical": limits.append(degrees - margin)
        case "hot": limits.append(degrees)
        default: break
        }
      }
      trip += 1
    }
    guard let limit = limits.min() else { return nil }
    return Zone(folder: folder, name: files.line("\(folder)/type") ?? folder, limit: limit)
  }

  /// The zone that is furthest beyond its limit; nil when none has come to it.
  ///
  /// With `isCooling` a zone counts until it is well below.
  package func heat(isCooling: Bool = false) -> Heat? {
    var worst: (heat: Heat, excess: Int)?
    for zone in zones {
      guard let degrees = files.line("\(zone.folder)/temp").flatMap({ Int($0) }), degrees < 200_000
      else { continue }
      let excess = degrees - zone.limit
      guard excess >= (isCooling ? -Self.cooling : 0), excess > worst?.excess ?? .min else {
        continue
      }
      worst = (Heat(zone: zone.name, degrees: degrees / 1000, limit: zone.limit / 1000), excess)
    }
    return worst?.heat
  }
}

extension SystemFiles {
  /// The first line of a file; nil when there is none.
  func line(_ path: String) -> String? {
    text(path)?.split(separator: "\n").first.map(String.init)
  }
}
