import Testing
import Tracking

@testable import Schedules

/// Zones as tables of when their clocks are set, with the seconds ahead of UTC from then on.
struct Zone: Sendable, CustomTestStringConvertible {
    let name: String
    /// By UTC, ascending. Before the first one the offset is that of the first row.
    let changes: [(at: Timestamp, offset: Int)]

    init(_ name: String, _ first: Int, _ changes: [(String, Int)]) {
        self.name = name
        self.changes =
            [(Timestamp(milliseconds: .min), first)]
            + changes.map { ((CivilDateTime($0.0) ?? Zone.never).timestamp { _ in 0 }, $0.1) }
    }

    private static let never = CivilDateTime(
        date: CivilDate(year: 9_999, month: 1, day: 1) ?? .last, time: .midnight)

    var offset: ZoneOffset {
        { moment in
            var index = changes.count - 1
            while index > 0, moment < changes[index].at { index -= 1 }
            return changes[index].offset
        }
    }

    var testDescription: String { name }

    static let utc = Zone("UTC", 0, [])
    static let zurich = Zone(
        "Europe/Zurich", 3_600,
        [
            ("2025-03-30T01:00", 7_200), ("2025-10-26T01:00", 3_600),
            ("2026-03-29T01:00", 7_200), ("2026-10-25T01:00", 3_600),
            ("2027-03-28T01:00", 7_200), ("2027-10-31T01:00", 3_600),
        ])
    static let sydney = Zone(
        "Australia/Sydney", 36_000,
        [
            ("2025-10-04T16:00", 39_600), ("2026-04-04T16:00", 36_000),
            ("2026-10-03T16:00", 39_600), ("2027-04-03T16:00", 36_000),
        ])
    /// Half an hour.
    static let lordHowe = Zone(
        "Australia/Lord_Howe", 37_800,
        [
            ("2025-10-04T15:30", 39_600), ("2026-04-04T15:00", 37_800),
            ("2026-10-03T15:30", 39_600), ("2027-04-03T15:00", 37_800),
        ])
    /// 2011-12-31 followed 2011-12-29.
    static let apia = Zone(
        "Pacific/Apia", -39_600,
        [("2011-09-24T14:00", -36_000), ("2011-12-30T10:00", 50_400), ("2012-03-31T14:00", 46_800)])
    static let newYork = Zone(
        "America/New_York", -18_000,
        [
            ("1997-04-06T07:00", -14_400), ("1997-10-26T06:00", -18_000),
            ("1998-04-05T07:00", -14_400), ("1998-10-25T06:00", -18_000),
            ("1999-04-04T07:00", -14_400), ("1999-10-31T06:00", -18_000),
            ("2000-04-02T07:00", -14_400), ("2000-10-29T06:00", -18_000),
        ])

    static let all = [utc, zurich, sydney, lordHowe, apia, newYork]
}

/// A time written in a test.
func civil(_ text: String) throws -> CivilDateTime { try #require(CivilDateTime(text), "\(text)") }

/// By UTC.
func moment(_ text: String) throws -> Timestamp { try civil(text).timestamp { _ in 0 } }

extension Timestamp {
    /// By UTC.
    var text: String { CivilDateTime(self) { _ in 0 }.text }
}
