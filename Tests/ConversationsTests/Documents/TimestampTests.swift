import Conversations
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_827_696_789, "2000-02-29T12:34:56.789Z"), (1_796_032_454_123, "2026-11-30T09:54:14.123Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
  ])
  func textsOfMoments(_ milliseconds: Int, _ text: String) {
    let time = Timestamp(milliseconds: milliseconds)
    #expect(time.iso8601 == text)
    #expect(Timestamp(iso8601: text) == time)
  }

  @Test func everyDayOfEightHundredYearsIsItself() {
    for day in stride(from: -146_097, to: 146_097, by: 1) {
      let date = CalendarDate(daysSince1970: day)
      #expect(date.daysSince1970 == day)
    }
  }

  @Test func fractionsMayBeShortOrMissing() {
    #expect(Timestamp(iso8601: "1970-01-01T00:00:01Z")?.milliseconds == 1000)
    #expect(Timestamp(iso8601: "1970-01-01T00:00:01.5Z")?.milliseconds == 1500)
    #expect(Timestamp(iso8601: "1970-01-01T00:00:01.123456Z")?.milliseconds == 1123)
  }

  @Test(arguments: [
    "", "now", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-01-01T24:00:00Z",
    "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+01:00", "1970-01-0aT00:00:00Z",
    "1970-01-01T00:00:00.1234567890Z", "9999999999999999999999999Z",
  ])
  func otherTextsAreNone(_ text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }
}
