import Contract
import Testing
import Tracking

/// When quiet hours end, during which a channel receives only calls for help.
struct QuietHoursTests {
    private static let hour: Int64 = 3_600_000

    private static func hours(_ from: Int, _ to: Int) throws -> QuietHours {
        try #require(QuietHours(from: from, to: to, timeZone: "Europe/Zurich"))
    }

    private static func time(_ text: String) throws -> Timestamp {
        try #require(Timestamp(rfc3339: text))
    }

    /// Zurich's in 2026: summer begins on March 29 and ends on October 25, each at 01:00 UTC.
    private static func offset(_ moment: Timestamp) -> Int {
        let summer =
            Timestamp(
                milliseconds: 1_774_746_000_000)..<Timestamp(
                milliseconds: 1_792_890_000_000)
        return summer.contains(moment) ? 7_200 : 3_600
    }

    @Test(arguments: [
        // Past midnight: 22:00 to 07:00.
        (1320, 420, "2026-05-01T19:59:59Z", nil),
        (1320, 420, "2026-05-01T20:00:00Z", "2026-05-02T05:00:00Z"),
        (1320, 420, "2026-05-02T04:59:59Z", "2026-05-02T05:00:00Z"),
        (1320, 420, "2026-05-02T05:00:00Z", nil),
        // At noon: 12:00 to 14:00, in winter.
        (720, 840, "2026-01-10T10:59:00Z", nil),
        (720, 840, "2026-01-10T11:30:10Z", "2026-01-10T13:00:00Z"),
        // Nearly the whole day.
        (1, 0, "2026-05-01T22:00:30Z", nil),
        (1, 0, "2026-05-01T22:01:00Z", "2026-05-02T22:00:00Z"),
        // The night that is an hour shorter, the one that is an hour longer.
        (1320, 420, "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
        (1320, 420, "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
        // Until half past two, which the clocks skip, going from two to three.
        (1320, 150, "2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z"),
        // Until half past two, which they show twice: it is quiet again before the second.
        (1320, 150, "2026-10-24T23:00:00Z", "2026-10-25T00:30:00Z"),
        (1320, 150, "2026-10-25T00:45:00Z", nil),
        (1320, 150, "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"),
    ])
    func `Quiet hours end by the clocks of their zone`(
        _ from: Int, _ to: Int, _ now: String, _ end: String?
    ) throws {
        let hours = try QuietHoursTests.hours(from, to)
        let found = hours.end(at: try QuietHoursTests.time(now), offset: QuietHoursTests.offset)
        #expect(found == (try end.map { try QuietHoursTests.time($0) }))
    }

    @Test func `Quiet hours last until exactly their end`() throws {
        let hours = try QuietHoursTests.hours(1320, 420)
        // Both nights in which the clocks are set, minute by minute.
        for start in ["2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z"] {
            var now = try QuietHoursTests.time(start)
            let last = now + .milliseconds(24 * QuietHoursTests.hour)
            var quiet = 0
            while now < last {
                if let end = hours.end(at: now, offset: QuietHoursTests.offset) {
                    #expect(hours.end(at: end, offset: QuietHoursTests.offset) == nil)
                    let before = end - .milliseconds(1)
                    #expect(hours.end(at: before, offset: QuietHoursTests.offset) == end)
                    quiet += 1
                }
                now = now + .seconds(60)
            }
            // Nine hours by the clocks, which are set by one.
            #expect([480, 600].contains(quiet), "\(start)")
        }
    }

    @Test(arguments: [
        (#""x""#, "quiet must be an object"),
        ("{}", "quiet.from is missing; quiet.to is missing; quiet.timeZone is missing"),
        (
            #"{"from":"24:00","to":"7:00","timeZone":"UTC"}"#,
            "quiet.from must be a time of day, such as 22:00; "
                + "quiet.to must be a time of day, such as 22:00"
        ),
        (
            #"{"from":"07:00","to":"07:00","timeZone":"UTC"}"#,
            "quiet.to must not be the same time as from"
        ),
        (
            #"{"from":"22:00","to":"07:00","timeZone":"../etc"}"#,
            "quiet.timeZone is not a time zone name"
        ),
        (
            #"{"from":"22:00","to":"07:00","timeZone":"Europe/Zurich\u0000x"}"#,
            "quiet.timeZone is not a time zone name"
        ),
        (
            #"{"from":"22:00","to":"07:60","timeZone":"\#(String(repeating: "A", count: 65))"}"#,
            "quiet.to must be a time of day, such as 22:00; "
                + "quiet.timeZone is not a time zone name"
        ),
    ])
    func `Invalid quiet hours are refused with their fields`(_ quiet: String, _ words: String) {
        let payload =
            #"{"channel":"01890000-0000-7000-8000-000000000000","quiet":\#(quiet)}"#
        let refused = refusal { () throws(Problem) in
            _ = try Command(
                method: "channel.update", try Request(payload.bytes), at: .now, FixLimits())
        }
        #expect(refused == "invalid: \(words)")
    }
}
