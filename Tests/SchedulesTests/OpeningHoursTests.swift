import Testing
import Tracking

@testable import Schedules

/// When places are open.
struct OpeningHoursTests {
    typealias Sample = (text: String, statuses: String)

    @Test(arguments: milan + grammar)
    func `Opening hours give the status at a moment`(sample: Sample) throws {
        let hours = try #require(OpeningHours(sample.text))
        #expect(hours.text == sample.text)
        for item in sample.statuses.split(separator: ", ") {
            let words = item.split(separator: " ")
            let day = try #require(Weekday(words[0])).rawValue + 1
            let time = try civil("2026-06-0\(day)T\(words[1])")
            for zone in [Zone.zurich, .sydney, .utc] {
                let moment = time.timestamp(offset: zone.offset)
                let status = hours.status(at: moment, offset: zone.offset)
                #expect("\(status)" == words[2], "\(item)")
            }
        }
    }

    /// For days of the year 2026, at noon.
    @Test(arguments: [
        ("Apr-Oct Mo-Su 10:00-18:00", "03-31 closed, 04-01 open, 10-31 open, 11-01 closed"),
        ("Apr-Oct: 10:00-18:00", "03-31 closed, 04-01 open"),
        ("Nov-Mar 10:00-18:00", "10-31 closed, 11-01 open, 02-28 open, 03-31 open, 04-01 closed"),
        ("Jan,Jun-Jul 10:00-18:00", "01-31 open, 02-01 closed, 07-31 open"),
        ("10:00-18:00; Dec 24-26 off", "12-23 open, 12-24 closed, 12-26 closed, 12-27 open"),
        ("10:00-18:00; Dec 25 off", "12-24 open, 12-25 closed, 12-26 open"),
        ("10:00-18:00; Dec 24,31 off", "12-24 closed, 12-25 open, 12-31 closed"),
        ("10:00-18:00; Dec 24-26,Jan 1 off", "12-25 closed, 01-01 closed, 12-27 open"),
        ("10:00-18:00; Dec 24-Jan 06 off", "12-23 open, 12-31 closed, 01-06 closed, 01-07 open"),
        ("10:00-18:00; Feb 29 off", "02-28 open, 03-01 open"),
        ("Apr 15-Oct 10:00-18:00", "04-14 closed, 04-15 open, 10-31 open"),
        ("Jun Mo 10:00-18:00", "06-01 open, 06-02 closed, 07-06 closed"),
        ("Jun 10:00-18:00 \"ask\"", "06-01 unknown, 05-31 closed"),
        ("Aug off; 10:00-18:00", "08-01 open"), ("Aug", "08-01 open, 09-01 closed"),
    ])
    func `Months and days of the month are evaluated`(text: String, statuses: String) throws {
        let hours = try #require(OpeningHours(text))
        for item in statuses.split(separator: ", ") {
            let words = item.split(separator: " ")
            let moment = try civil("2026-\(words[0])T12:00").timestamp(offset: Zone.zurich.offset)
            let status = hours.status(at: moment, offset: Zone.zurich.offset)
            #expect("\(status)" == words[1], "\(item)")
        }
    }

    @Test(arguments: [
        // Milan again: all day, or from 17:30?
        "24/7 17:30-02:00",
        "", " ", ";", ",", ":", "\"", "\"by appointment", "by appointment", "Mo-Fr 08:00", "08:00-",
        "Mo-Fr 08:00-12:00,", "Mo-Fr 08:00-12:00, ; Sa", ",Mo", "Mo-", "Mo-Fr-Sa",
        "Mo Tu 08:00-12:00",
        "Monday 08:00-12:00", "08:00-12:00 Mo", "8-12", "08:00-12:60", "25:00-26:00", "08:00-48:01",
        "08:00-100:00", "8:0-12:00", "08:00-12:000", "08.00-12.00", "08:00-12:00/01:30", "8am-5pm",
        "24/7 24/7", "24/7 Mo", "Mo 24/7", "sunrise-sunset", "08:00-sunset", "week 10 Mo",
        "2026 Mo",
        "2026", "easter off", "08:00-12:00 || off", "Mo[0] 08:00-12:00", "Mo[6]", "Mo[1", "Mo[]",
        "Mo[3-1]", "Feb 30 off", "Feb 1-30 off", "Jun 31", "Dec 26-24 off", "Dec 0 off",
        "Dec-24 off",
        "Dec 32", "Mo off off", "off 08:00-12:00", "Sommer Mo", "Mo-Fr 08:00-12:00 \u{1F600}",
        // Closed at all these times, or open at the first ones?
        "08:00-18:00, 12:00-13:00 off", "Mo 10:00-12:00 off", "PH off; Mo 10:00-12:00 closed",
        // Days that are not holidays are not covered.
        "PH off", "SH 08:00-12:00", "PH,SH closed; PH Mo-Fr off", "PH -1 day off", "PH - day off",
        String(repeating: "Mo;", count: 86), String(repeating: "\u{301}", count: 100_000),
    ])
    func `An unsupported text is nil`(text: String) {
        #expect(OpeningHours(text) == nil)
    }

    // MARK: Changes

    /// The moment and the changes after it, by the clocks of Zurich.
    @Test(arguments: [
        (
            "08:00-12:00", "2026-06-01T07:00",
            "06-01T08:00 open, 06-01T12:00 closed, 06-02T08:00 open"
        ),
        ("08:00-12:00", "2026-06-01T08:00", "06-01T12:00 closed"),
        ("Mo-Fr 00:00-24:00", "2026-06-01T12:00", "06-06T00:00 closed, 06-08T00:00 open"),
        (
            "Mo 00:00-24:00; Tu 00:00-12:00", "2026-06-01T12:00",
            "06-02T12:00 closed, 06-08T00:00 open"
        ),
        ("Mo-Su 18:00-02:00", "2026-06-01T23:00", "06-02T02:00 closed, 06-02T18:00 open"),
        ("19:00-23:00+", "2026-06-01T20:00", "06-01T23:00 unknown, 06-02T07:00 closed"),
        ("24/7; Dec 25 off", "2026-06-01T12:00", "12-25T00:00 closed, 12-26T00:00 open"),
        ("Sa[-1] 10:00-12:00", "2026-06-01T12:00", "06-27T10:00 open, 06-27T12:00 closed"),
        ("Apr-Oct 10:00-18:00", "2026-10-31T12:00", "10-31T18:00 closed, 04-01T10:00 open"),
        // Set forward from 02:00 to 03:00: what would close or open between does so at once.
        ("18:00-02:30", "2026-03-29T01:00", "03-29T03:00 closed, 03-29T18:00 open"),
        ("02:30-10:00", "2026-03-29T01:00", "03-29T03:00 open, 03-29T10:00 closed"),
        ("02:10-02:50", "2026-03-29T01:00", "03-30T02:10 open"),
        // Back from 03:00 to 02:00: what is over stays over, what is open stays open.
        ("18:00-02:30", "2026-10-25T01:00", "10-25T02:30 closed, 10-25T18:00 open"),
        ("18:00-03:00", "2026-10-25T01:00", "10-25T03:00 closed, 10-25T18:00 open"),
        ("02:30-10:00", "2026-10-25T01:00", "10-25T02:30 open, 10-25T10:00 closed"),
    ])
    func `The next change is found`(text: String, after: String, changes: String) throws {
        let hours = try #require(OpeningHours(text))
        let offset = Zone.zurich.offset
        var moment = try civil(after).timestamp(offset: offset)
        for item in changes.split(separator: ", ") {
            let change = try #require(hours.nextChange(after: moment, offset: offset), "\(item)")
            let time = CivilDateTime(change.at, offset: offset)
            #expect("\(time.text.dropFirst(5)) \(change.to)" == item)
            moment = change.at
        }
    }

    @Test func `A closing time that the clocks repeat occurs once`() throws {
        let hours = try #require(OpeningHours("18:00-02:30"))
        let closes = try moment("2026-10-25T00:30")
        for (minutes, status) in [
            (-1, OpeningHours.Status.open), (0, .closed), (35, .closed), (45, .closed),
            (89, .closed),
        ] {
            let moment = closes + .seconds(60 * Int64(minutes))
            #expect(hours.status(at: moment, offset: Zone.zurich.offset) == status)
        }
        let late = try #require(OpeningHours("18:00-03:00"))
        let change = late.nextChange(
            after: closes + .seconds(40 * 60), offset: Zone.zurich.offset)
        #expect(try change?.at == moment("2026-10-25T02:00"))
    }

    @Test func `A day that a zone skips has no hours`() throws {
        let hours = try #require(OpeningHours("Th-Fr 08:00-18:00"))
        let offset = Zone.apia.offset
        // Thursday, and then Saturday.
        let closes = try #require(
            hours.nextChange(after: moment("2011-12-30T01:00"), offset: offset))
        #expect(CivilDateTime(closes.at, offset: offset).text == "2011-12-29T18:00")
        let opens = try #require(hours.nextOpening(after: closes.at, offset: offset))
        #expect(CivilDateTime(opens, offset: offset).text == "2012-01-05T08:00")
        let friday = try #require(OpeningHours("Fr 08:00-18:00; Sa"))
        let change = try #require(friday.nextChange(after: closes.at, offset: offset))
        #expect(CivilDateTime(change.at, offset: offset).text == "2011-12-31T00:00")
    }

    @Test(arguments: [
        "24/7", "Mo-Su", "00:00-24:00", "Mo-Th 00:00-24:00; Fr-Su 00:00-24:00", "off", "unknown",
        "12:00-36:00", "Jan-Dec", "24/7; Feb 29 off", "Mo-Sa,Su[1-5]", "00:00-12:00,12:00-24:00",
        "off; Mo 10:00-12:00 off",
    ])
    func `Hours that never change have no next change`(text: String) throws {
        let hours = try #require(OpeningHours(text))
        let moment = try moment("2026-06-01T10:00")
        #expect(hours.nextChange(after: moment, offset: Zone.zurich.offset) == nil)
        #expect(hours.nextOpening(after: moment, offset: Zone.zurich.offset) == nil)
    }

    @Test(arguments: [
        ("Mo-Fr 08:00-12:00", "2026-06-05T13:00", "2026-06-08T08:00"),
        ("Mo-Fr 08:00-12:00", "2026-06-01T08:00", "2026-06-02T08:00"),
        ("Mo 19:00+; Fr 08:00-12:00", "2026-06-01T13:00", "2026-06-05T08:00"),
        ("Sa 08:00-12:00; Jun off", "2026-06-01T08:00", "2026-07-04T08:00"),
    ])
    func `The next opening is found`(text: String, after: String, opens: String) throws {
        let hours = try #require(OpeningHours(text))
        let found = try hours.nextOpening(
            after: civil(after).timestamp(offset: Zone.zurich.offset), offset: Zone.zurich.offset)
        #expect(try found == civil(opens).timestamp(offset: Zone.zurich.offset))
    }

    @Test func `Opening hours handle any moment`() throws {
        let hours = try #require(OpeningHours("Mo-Fr 08:00-12:00"))
        for milliseconds in [Int64.min, .min + 1, .max - 1, .max] {
            let moment = Timestamp(milliseconds: milliseconds)
            for offset in [-86_400, 0, 86_399] {
                _ = hours.status(at: moment) { _ in offset }
                if let change = hours.nextChange(after: moment, offset: { _ in offset }) {
                    #expect(change.at > moment)
                }
            }
        }
    }
}
