import Foundation
import Testing
import Tracking

@testable import Schedules

/// Dates, times of day, and what the clocks of a zone show.
struct CivilTests {
    @Test func `Days follow each other through all years, and weekdays through all days`() throws {
        var date = CivilDate.first
        var expected = (year: 1, month: 1, day: 1, weekday: Weekday.monday)
        while date <= .last {
            guard date.parts == (expected.year, expected.month, expected.day),
                date.weekday == expected.weekday,
                CivilDate(year: expected.year, month: expected.month, day: expected.day) == date
            else {
                Issue.record("\(date.text) is not \(expected)")
                return
            }
            date = date + 1
            expected.day += 1
            expected.weekday = Weekday.allCases[(expected.weekday.rawValue + 1) % 7]
            if CivilDate(year: expected.year, month: expected.month, day: expected.day) == nil {
                (expected.month, expected.day) = (expected.month + 1, 1)
                if expected.month == 13 { (expected.year, expected.month) = (expected.year + 1, 1) }
            }
        }
        #expect(expected.year == 10_000)
    }

    @Test(arguments: [
        ("1970-01-01", 0, Weekday.thursday), ("1969-12-31", -1, .wednesday),
        ("2000-02-29", 11_016, .tuesday), ("2026-03-29", 20_541, .sunday),
        ("0001-01-01", -719_162, .monday), ("9999-12-31", 2_932_896, .friday),
        ("1600-02-29", -135_081, .tuesday),
    ])
    func `A day has a number and a weekday`(text: String, number: Int, weekday: Weekday) throws {
        let date = try #require(CivilDate(text))
        #expect(date.dayNumber == number && date.weekday == weekday && date.text == text)
    }

    @Test func `Days outside the years 1 to 9999 are rejected`() {
        #expect(CivilDate.first.adding(days: -1) == nil)
        #expect(CivilDate.last.adding(days: 1) == nil)
        #expect(CivilDate.last.adding(days: .max) == nil)
        #expect(CivilDate.first.adding(days: 2_932_896 + 719_162) == .last)
    }

    @Test(arguments: [
        "2026-03-29T02:30", "2026-03-29T02:30:01", "0001-01-01T00:00", "9999-12-31T23:59:59",
    ])
    func `A time is parsed and printed unchanged`(text: String) throws {
        #expect(try civil(text).text == text)
    }

    @Test(arguments: [
        "", "2026-03-29", "2026-3-29T02:30", "2026-03-29 02:30", "2026-03-29T2:30",
        "2026-03-29T24:00", "2026-03-29T02:60", "2026-03-29T02:30:60", "2026-03-29T02:30:00Z",
        "2026-02-29T02:30", "2026-00-01T02:30", "2026-13-01T02:30", "2026-01-32T02:30",
        "0000-01-01T00:00", "-001-01-01T00:00", "2026-03-29T02:30:0", "2026-03-29T02:30:00.5",
        "٢٠٢٦-03-29T02:30", String(repeating: "2026-03-29T02:30", count: 1_000),
    ])
    func `An invalid time is refused`(text: String) {
        #expect(CivilDateTime(text) == nil)
    }

    @Test func `Full minutes are written without seconds`() throws {
        #expect(try civil("2026-03-29T02:30:00").text == "2026-03-29T02:30")
        #expect(TimeOfDay("23:59:59")?.text == "23:59:59" && TimeOfDay("24:00") == nil)
    }

    // MARK: Zones

    /// A local time, its moment in UTC, and the first moment at which clocks show it or later.
    @Test(arguments: [
        (Zone.zurich, "2026-01-15T12:00", "2026-01-15T11:00", "2026-01-15T11:00"),
        (.zurich, "2026-07-15T12:00", "2026-07-15T10:00", "2026-07-15T10:00"),
        // Set forward at 02:00.
        (.zurich, "2026-03-29T01:59", "2026-03-29T00:59", "2026-03-29T00:59"),
        (.zurich, "2026-03-29T02:00", "2026-03-29T01:00", "2026-03-29T01:00"),
        (.zurich, "2026-03-29T02:30", "2026-03-29T01:30", "2026-03-29T01:00"),
        (.zurich, "2026-03-29T03:00", "2026-03-29T01:00", "2026-03-29T01:00"),
        // Back at 03:00.
        (.zurich, "2026-10-25T01:59", "2026-10-24T23:59", "2026-10-24T23:59"),
        (.zurich, "2026-10-25T02:00", "2026-10-25T00:00", "2026-10-25T00:00"),
        (.zurich, "2026-10-25T02:30", "2026-10-25T00:30", "2026-10-25T00:30"),
        (.zurich, "2026-10-25T03:00", "2026-10-25T02:00", "2026-10-25T02:00"),
        (.sydney, "2026-04-05T02:30", "2026-04-04T15:30", "2026-04-04T15:30"),
        (.sydney, "2026-04-05T03:00", "2026-04-04T17:00", "2026-04-04T17:00"),
        (.sydney, "2026-10-04T02:30", "2026-10-03T16:30", "2026-10-03T16:00"),
        // By half an hour.
        (.lordHowe, "2026-10-04T02:10", "2026-10-03T15:40", "2026-10-03T15:30"),
        (.lordHowe, "2026-10-04T02:40", "2026-10-03T15:40", "2026-10-03T15:40"),
        (.lordHowe, "2026-04-05T01:40", "2026-04-04T14:40", "2026-04-04T14:40"),
        (.lordHowe, "2026-04-05T02:00", "2026-04-04T15:30", "2026-04-04T15:30"),
        // By a whole day.
        (.apia, "2011-12-29T23:59", "2011-12-30T09:59", "2011-12-30T09:59"),
        (.apia, "2011-12-30T08:00", "2011-12-30T18:00", "2011-12-30T10:00"),
        (.apia, "2011-12-31T08:00", "2011-12-30T18:00", "2011-12-30T18:00"),
        (.newYork, "1997-04-06T02:30", "1997-04-06T07:30", "1997-04-06T07:00"),
        (.newYork, "1997-10-26T01:30", "1997-10-26T05:30", "1997-10-26T05:30"),
    ])
    func `A local time maps to a moment in its zone`(
        zone: Zone, local: String, expected: String, reached: String
    ) throws {
        let time = try civil(local)
        #expect(time.timestamp(offset: zone.offset).text == expected)
        #expect(time.firstReached(offset: zone.offset).text == reached)
    }

    @Test(arguments: Zone.all)
    func `A displayed time maps to its moment or its earlier occurrence`(zone: Zone) {
        for change in zone.changes.dropFirst() {
            for minutes in -1_500...1_500 {
                let moment = change.at + .seconds(60 * Int64(minutes))
                let shown = CivilDateTime(moment, offset: zone.offset)
                let again = shown.timestamp(offset: zone.offset)
                #expect(again <= moment && moment - again <= .seconds(3_600), "\(moment.text)")
                #expect(CivilDateTime(again, offset: zone.offset) == shown)
                let reached = shown.firstReached(offset: zone.offset)
                #expect(reached == again, "\(moment.text)")
            }
        }
    }

    @Test(arguments: Zone.all)
    func `The latest time that clocks have shown never decreases`(zone: Zone) throws {
        for change in zone.changes.dropFirst() {
            var last = CivilDateTime.latest(
                at: change.at - .seconds(90_000), offset: zone.offset)
            for minutes in -300...300 {
                let moment = change.at + .seconds(60 * Int64(minutes))
                let latest = CivilDateTime.latest(at: moment, offset: zone.offset)
                #expect(latest >= last && latest >= CivilDateTime(moment, offset: zone.offset))
                last = latest
            }
        }
        let second = try moment("2026-10-25T01:30")
        #expect(
            CivilDateTime.latest(at: second, offset: Zone.zurich.offset).text
                == "2026-10-25T02:59:59")
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max], [-86_400, 0, 86_399])
    func `The calendar handles any moment`(milliseconds: Int64, offset: Int) {
        let moment = Timestamp(milliseconds: milliseconds)
        let shown = CivilDateTime(moment) { _ in offset }
        #expect(shown.date >= .first && shown.date <= .last)
        let latest = CivilDateTime.latest(at: moment) { _ in offset }
        #expect(latest.date >= .first && latest.date <= .last)
        #expect(CivilDateTime(shown.text) == shown)
    }

    @Test func `The test zone tables match Foundation`() throws {
        for zone in Zone.all {
            guard let known = TimeZone(identifier: zone.name) else { continue }
            for change in zone.changes.dropFirst() {
                for moment in [change.at, change.at - .milliseconds(1)] {
                    let seconds = Double(moment.milliseconds) / 1_000
                    #expect(
                        known.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
                            == zone.offset(moment), "\(zone.name) at \(moment.text)")
                }
            }
        }
    }
}
