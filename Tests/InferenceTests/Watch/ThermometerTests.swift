import Inference
import Testing

@Suite struct ThermometerTests {
  private func zone(_ number: Int, _ files: [String: String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: files.map {
        ("/sys/class/thermal/thermal_zone\(number)/\($0.key)", $0.value + "\n")
      })
  }

  private func heat(_ zones: [[String: String]]) -> Thermometer.Heat? {
    let files = zones.enumerated().map { zone($0.offset, $0.element) }
      .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    return Thermometer(.invented(files)).heat()
  }

  private let critical = ["trip_point_0_type": "critical", "trip_point_0_temp": "105000"]

  @Test(arguments: [(99_999, false), (100_000, true), (104_000, true), (45_000, false)])
  func aMarginBelowTheCriticalTrip(temperature: Int, isHot: Bool) {
    let zone = critical.merging(["type": "cpu", "temp": "\(temperature)"]) { $1 }
    #expect((heat([zone]) != nil) == isHot)
  }

  @Test func aHotTripCountsAsItIs() {
    let zone = [
      "type": "acpitz", "temp": "90000", "trip_point_0_type": "active",
      "trip_point_0_temp": "50000",
      "trip_point_1_type": "hot", "trip_point_1_temp": "90000", "trip_point_2_type": "critical",
      "trip_point_2_temp": "110000",
    ]
    #expect(heat([zone]) == .init(zone: "acpitz", degrees: 90, limit: 90))
  }

  @Test func theWorstZoneIsTold() {
    let mild = critical.merging(["type": "mild", "temp": "101000"]) { $1 }
    let worse = critical.merging(["type": "worse", "temp": "103000"]) { $1 }
    #expect(heat([mild, worse, mild])?.zone == "worse")
  }

  @Test func absentAndSenselessSensorsAreSilence() {
    #expect(heat([]) == nil)
    let zones: [[String: String]] = [
      ["type": "no trips", "temp": "120000"],
      ["type": "zero", "temp": "99000", "trip_point_0_type": "critical", "trip_point_0_temp": "0"],
      ["type": "none", "trip_point_0_type": "critical", "trip_point_0_temp": "100000"],
      critical.merging(["type": "text", "temp": "N/A"]) { $1 },
      critical.merging(["type": "absurd", "temp": "2147483647"]) { $1 },
      critical.merging(["type": "cold", "temp": "-273000"]) { $1 },
    ]
    for zone in zones { #expect(heat([zone]) == nil) }
  }
}
