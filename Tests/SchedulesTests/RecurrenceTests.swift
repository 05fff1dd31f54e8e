import Testing
import Tracking

@testable import Schedules

/// When rules have occurrences.
struct RecurrenceTests {
    /// The examples of RFC 5545, 3.8.5.3, as far as they are supported: the start, the rule, the first
    /// occurrences, and how many there are.
    static let examples: [(start: String, rule: String, first: String, count: Int?)] = [
        ("1997-09-02", "FREQ=DAILY;COUNT=10", "09-02 09-03 09-04 09-05", 10),
        ("1997-09-02", "FREQ=DAILY;UNTIL=19971224T000000Z", "09-02 09-03 09-04", 113),
        ("1997-09-02", "FREQ=DAILY;INTERVAL=2", "09-02 09-04 09-06 09-08", nil),
        ("1997-09-02", "FREQ=DAILY;INTERVAL=10;COUNT=5", "09-02 09-12 09-22 10-02 10-12", 5),
        (
            "1998-01-01",
            "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            "1998-01-01 01-02 01-03", 93
        ),
        ("1998-01-01", "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "1998-01-01 01-02", 93),
        (
            "1997-09-02", "FREQ=WEEKLY;COUNT=10",
            "09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04", 10
        ),
        ("1997-09-02", "FREQ=WEEKLY;UNTIL=19971224T000000Z", "09-02 09-09 09-16", 17),
        (
            "1997-09-02", "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            "09-02 09-16 09-30 10-14 10-28 11-11 11-25 12-09 12-23 1998-01-06", nil
        ),
        (
            "1997-09-02", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
            "09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02", 10
        ),
        (
            "1997-09-01",
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            "09-01 09-03 09-05 09-15 09-17 09-19 09-29 10-01 10-03 10-13 10-15 10-17 10-27 10-29",
            25
        ),
        (
            "1997-09-02", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
            "09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16", 8
        ),
        (
            "1997-09-05", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            "09-05 10-03 11-07 12-05 1998-01-02 02-06 03-06 04-03 05-01 06-05", 10
        ),
        (
            "1997-09-05", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
            "09-05 10-03 11-07 12-05", 4
        ),
        (
            "1997-09-07", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            "09-07 09-28 11-02 11-30 1998-01-04 01-25 03-01 03-29 05-03 05-31", 10
        ),
        (
            "1997-09-22", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
            "09-22 10-20 11-17 12-22 1998-01-19 02-16", 6
        ),
        (
            "1997-09-28", "FREQ=MONTHLY;BYMONTHDAY=-3",
            "09-28 10-29 11-28 12-29 1998-01-29 02-26", nil
        ),
        (
            "1997-09-02", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            "09-02 09-15 10-02 10-15 11-02 11-15 12-02 12-15 1998-01-02 01-15", 10
        ),
        (
            "1997-09-30", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            "09-30 10-01 10-31 11-01 11-30 12-01 12-31 1998-01-01 01-31 02-01", 10
        ),
        (
            "1997-09-10", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            "09-10 09-11 09-12 09-13 09-14 09-15 1999-03-10 03-11 03-12 03-13", 10
        ),
        (
            "1997-09-02", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            "09-02 09-09 09-16 09-23 09-30 11-04 11-11 11-18 11-25 1998-01-06", nil
        ),
        (
            "1997-06-10", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
            "06-10 07-10 1998-06-10 07-10 1999-06-10 07-10 2000-06-10 07-10 2001-06-10 07-10", 10
        ),
        (
            "1997-03-10", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
            "03-10 1999-01-10 02-10 03-10 2001-01-10 02-10 03-10 2003-01-10 02-10 03-10", 10
        ),
        ("1997-05-19", "FREQ=YEARLY;BYDAY=20MO", "05-19 1998-05-18 1999-05-17", nil),
        (
            "1997-03-13", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
            "03-13 03-20 03-27 1998-03-05 03-12 03-19 03-26 1999-03-04", nil
        ),
        (
            "1997-06-05", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
            "06-05 06-12 06-19 06-26 07-03 07-10 07-17 07-24 07-31 08-07 08-14 08-21 08-28 1998-06-04",
            nil
        ),
        // Every Friday the 13th. The RFC leaves out the start with EXDATE.
        (
            "1997-09-02", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            "09-02 1998-02-13 03-13 11-13 1999-08-13 2000-10-13", nil
        ),
        (
            "1997-09-13", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            "09-13 10-11 11-08 12-13 1998-01-10 02-07 03-07 04-11 05-09 06-13", nil
        ),
        // Presidents of the United States are elected.
        (
            "1996-11-05", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            "1996-11-05 2000-11-07 2004-11-02", nil
        ),
        (
            "1997-09-04", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "09-04 10-07 11-06", 3
        ),
        (
            "1997-09-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            "09-29 10-30 11-27 12-30 1998-01-29 02-26 03-30", nil
        ),
        (
            "1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            "08-05 08-10 08-19 08-24", 4
        ),
        (
            "1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            "08-05 08-17 08-19 08-31", 4
        ),
        (
            "2007-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
            "2007-01-15 01-30 02-15 03-15 03-30", 5
        ),
    ]

    /// Ends of months and leap days: a day that does not exist is not replaced.
    static let shortMonths: [(start: String, rule: String, first: String, count: Int?)] = [
        ("2026-01-31", "FREQ=MONTHLY", "2026-01-31 03-31 05-31 07-31 08-31 10-31 12-31", nil),
        ("2026-01-30", "FREQ=MONTHLY", "2026-01-30 03-30 04-30", nil),
        ("2023-12-29", "FREQ=MONTHLY", "2023-12-29 2024-01-29 02-29 03-29", nil),
        ("2026-01-31", "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31 02-28 03-31 04-30", nil),
        ("2026-01-31", "FREQ=MONTHLY;BYMONTHDAY=-31", "2026-01-31 03-01 05-01", nil),
        ("2024-02-29", "FREQ=YEARLY", "2024-02-29 2028-02-29 2032-02-29", nil),
        ("2096-02-29", "FREQ=YEARLY", "2096-02-29 2104-02-29", nil),
        ("2024-02-29", "FREQ=YEARLY;INTERVAL=3", "2024-02-29 2036-02-29", nil),
        ("2024-02-29", "FREQ=YEARLY;COUNT=3", "2024-02-29 2028-02-29 2032-02-29", 3),
        ("2024-02-29", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "2024-02-29 2025-02-28", nil),
        ("2024-02-29", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29", "2024-02-29 2028-02-29", nil),
        (
            "2096-02-29", "FREQ=DAILY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29",
            "2096-02-29 2108-02-29 2136-02-29", nil
        ),
        ("2026-08-31", "FREQ=YEARLY;BYMONTH=8,9,10", "2026-08-31 10-31 2027-08-31", nil),
        ("2026-01-05", "FREQ=MONTHLY;BYDAY=5MO", "2026-01-05 03-30 06-29 08-31", nil),
        ("2026-12-31", "FREQ=YEARLY;BYDAY=53TH", "2026-12-31 2032-12-30", nil),
        ("2026-06-08", "FREQ=YEARLY;BYDAY=-1MO", "2026-06-08 12-28 2027-12-27", nil),
        ("9999-12-01", "FREQ=MONTHLY", "9999-12-01", 1),
        ("9998-12-31", "FREQ=WEEKLY;INTERVAL=50", "9998-12-31 9999-12-16", 2),
    ]

    @Test(arguments: examples + shortMonths)
    func `A rule has the expected occurrences`(
        start: String, rule: String, first: String, count: Int?
    ) throws {
        var year = start.prefix(4)
        let expected = first.split(separator: " ").map { date in
            if date.count > 5 { year = date.prefix(4) }
            return "\(year)-\(date.suffix(5))T09:00"
        }
        let found = try Recurrence(rule).occurrences(
            after: Timestamp(milliseconds: .min), from: civil("\(start)T09:00"), limit: 200,
            offset: Zone.newYork.offset)
        #expect(found.prefix(expected.count).map(\.local.text) == expected)
        #expect(found.count == count ?? 200)
    }

    // MARK: The start and the end

    @Test func `The start is the first occurrence, even if the rule does not match it`() throws {
        let found = try Recurrence("FREQ=WEEKLY;BYDAY=MO;COUNT=3").occurrences(
            after: moment("2000-01-01T00:00"), from: civil("2026-06-03T09:00"), limit: 10,
            offset: Zone.utc.offset)
        #expect(
            found.map(\.local.text) == ["2026-06-03T09:00", "2026-06-08T09:00", "2026-06-15T09:00"])
        let over = try Recurrence("FREQ=DAILY;UNTIL=20200101").occurrences(
            after: moment("2000-01-01T00:00"), from: civil("2026-06-03T09:00"), limit: 10,
            offset: Zone.utc.offset)
        #expect(over.map(\.local.text) == ["2026-06-03T09:00"])
    }

    @Test(arguments: [
        ("20260605", "2026-06-05T22:00"), ("20260605T220000", "2026-06-05T22:00"),
        ("20260605T215959", "2026-06-04T22:00"),
        // Clocks in Zurich are two hours ahead.
        ("20260605T200000Z", "2026-06-05T22:00"), ("20260605T195959Z", "2026-06-04T22:00"),
    ])
    func `UNTIL is the last occurrence, by the calendar, the clock or UTC`(
        until: String, last: String
    ) throws {
        let found = try Recurrence("FREQ=DAILY;UNTIL=\(until)").occurrences(
            after: moment("2000-01-01T00:00"), from: civil("2026-06-01T22:00"), limit: 99,
            offset: Zone.zurich.offset)
        #expect(found.last?.local.text == last)
    }

    @Test func `The next occurrence is after the moment, not at it`() throws {
        let rule = try Recurrence("FREQ=DAILY")
        let start = try civil("2026-06-01T09:00")
        for (after, next) in [
            ("2026-05-31T09:00", "2026-06-01T09:00"), ("2026-06-01T08:59", "2026-06-01T09:00"),
            ("2026-06-01T09:00", "2026-06-02T09:00"), ("2026-06-01T09:01", "2026-06-02T09:00"),
        ] {
            let found = try rule.next(after: moment(after), from: start, offset: Zone.utc.offset)
            #expect(found?.local.text == next)
        }
        let almost = Timestamp(milliseconds: try moment("2026-06-01T09:00").milliseconds - 1)
        let found = rule.next(after: almost, from: start, offset: Zone.utc.offset)
        #expect(found?.local == start)
        let far = rule.next(
            after: Timestamp(milliseconds: .max), from: start, offset: Zone.utc.offset)
        #expect(far == nil)
    }

    // MARK: Zones

    /// The time of day, and the occurrences by UTC.
    @Test(arguments: [
        (Zone.zurich, "2026-03-28T09:00", "28T08:00 29T07:00 30T07:00"),
        // Skipped: read with the offset before.
        (.zurich, "2026-03-28T02:30", "28T01:30 29T01:30 30T00:30"),
        (.zurich, "2026-10-24T09:00", "24T07:00 25T08:00 26T08:00"),
        // Shown twice: the first time.
        (.zurich, "2026-10-24T02:30", "24T00:30 25T00:30 26T01:30"),
        (.sydney, "2026-04-04T02:30", "03T15:30 04T15:30 05T16:30"),
        (.sydney, "2026-10-03T02:30", "02T16:30 03T16:30 04T15:30"),
        (.lordHowe, "2026-04-04T01:45", "03T14:45 04T14:45 05T15:15"),
        (.lordHowe, "2026-10-03T02:15", "02T15:45 03T15:45 04T15:15"),
        // The skipped day is at the same moment as the next one.
        (.apia, "2011-12-29T08:00", "29T18:00 30T18:00 31T18:00"),
    ])
    func `The time of day stays the same when clocks are set`(
        zone: Zone, start: String, expected: String
    ) throws {
        let found = try Recurrence("FREQ=DAILY").occurrences(
            after: moment("2000-01-01T00:00"), from: civil(start), limit: 3, offset: zone.offset)
        #expect(
            found.map { String($0.moment.text.dropFirst(8)) }.joined(separator: " ") == expected)
        #expect(found.allSatisfy { $0.local.time.text == start.suffix(5) })
    }

    // MARK: Bounds

    @Test(arguments: [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30,31",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=4,6,9,11", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=2",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", "FREQ=DAILY;BYDAY=MO;BYSETPOS=2",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=-2",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2000",
    ])
    func `A rule that never matches ends with the start`(text: String) throws {
        let found = try Recurrence(text).occurrences(
            after: moment("2000-01-01T00:00"), from: civil("2026-06-01T09:00"), limit: 10,
            offset: Zone.utc.offset)
        #expect(found.count == 1)
    }

    @Test(arguments: [
        "FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "FREQ=MONTHLY;INTERVAL=5",
        "FREQ=YEARLY;INTERVAL=3;BYMONTH=6;BYDAY=1MO",
    ])
    func `An occurrence centuries later is found without checking those before it`(text: String)
        throws
    {
        let rule = try Recurrence(text)
        let start = try civil("2026-06-01T09:00").date
        let far = try civil("2526-01-01T09:00").date
        var jumping = RecurrenceDates(rule, start: start, from: far)
        let next = jumping.next()
        #expect(jumping.seenPeriods < 20)
        var stepping = RecurrenceDates(rule, start: start, from: start)
        var found = stepping.next()
        while let date = found, date < far { found = stepping.next() }
        #expect(found != nil && next == found)
    }

    @Test func `COUNT is exact up to its largest value, from any moment`() throws {
        let rule = try Recurrence("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=2000")
        let start = try civil("2026-06-01T09:00")
        // 1,000 weeks of two.
        let last = try #require(start.date.adding(days: 999 * 7 + 3))
        let before = CivilDateTime(date: last + -1, time: start.time)
        let found = rule.occurrences(
            after: before.utc, from: start, limit: 9, offset: Zone.utc.offset)
        #expect(found.map(\.local.date) == [last])
    }
}
