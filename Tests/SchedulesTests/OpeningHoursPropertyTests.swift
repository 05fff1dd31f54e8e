import Testing
import Tracking

@testable import Schedules

/// Invented opening hours, and those of Milan.
struct OpeningHoursPropertyTests {
    /// Two weeks with a change of the clocks in them.
    static let weeks: [(zone: Zone, from: String)] = [
        (.utc, "2026-02-20T00:00"), (.zurich, "2026-03-22T10:00"), (.zurich, "2026-10-18T10:00"),
        (.sydney, "2026-03-29T10:00"), (.sydney, "2026-09-27T10:00"),
        (.lordHowe, "2026-03-29T10:00"), (.lordHowe, "2026-09-27T10:00"),
        (.apia, "2011-12-23T10:00"),
    ]

    /// Made of arbitrary rules.
    static func text(_ random: inout SplitMix64) -> String {
        func one(_ parts: [String]) -> String { parts.randomElement(using: &random) ?? "" }
        func day() -> String { one(["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]) }
        func month() -> String { one(["Jan", "Feb", "Mar", "Apr", "Sep", "Oct", "Nov", "Dec"]) }
        func time() -> String {
            "\(Int.random(in: 0..<24, using: &random)):\(one(["00", "10", "30", "45"]))"
        }
        func days() -> String {
            one([
                "", "", day(), "\(day())-\(day())", "\(day()),\(day())", "\(day())[1,-1]", "PH",
                "PH,\(day())",
            ])
        }
        func dates() -> String {
            one([
                "", "", "", "", month(), "\(month())-\(month())", "\(month()) 28-\(month()) 04",
                "Mar 29", "Oct 24-26",
            ])
        }
        func times() -> String {
            one([
                "", "\(time())-\(time())", "\(time())-\(time()),\(time())-\(time())", "\(time())+",
                "\(time())-\(time())+", "00:00-24:00", "02:00-02:30", "01:30-02:30", "22:00-26:30",
                "02:30-27:00",
            ])
        }
        func rule() -> String {
            let parts = [dates(), days(), times(), one(["", "", "", "off", "unknown", "\"x\""])]
            return parts.filter { !$0.isEmpty }.joined(separator: " ")
        }
        return (0..<Int.random(in: 1...4, using: &random)).map { _ in rule() }
            .joined(separator: one(["; ", "; ", ", "]))
    }

    private func check(_ hours: OpeningHours, _ zone: Zone, from text: String, _ comment: String)
        throws
    {
        let start = try civil(text).timestamp(offset: zone.offset)
        var expected: [(at: Timestamp, to: OpeningHours.Status)] = []
        var last = hours.status(at: start, offset: zone.offset)
        let minutes = 14 * 1_440
        for minute in 1...minutes {
            let moment = start + .seconds(60 * Int64(minute))
            let status = hours.status(at: moment, offset: zone.offset)
            if status != last { expected.append((moment, status)) }
            last = status
        }
        var moment = start
        for change in expected {
            let next = hours.nextChange(after: moment, offset: zone.offset)
            guard let next, next == change else {
                Issue.record(
                    """
                    \(comment): \(hours.text) in \(zone.name): after \(moment.text) \
                    \(next.map { "\($0.at.text) \($0.to)" } ?? "nothing"), \
                    not \(change.at.text) \(change.to)
                    """)
                return
            }
            // Also from in between.
            let between = moment + .milliseconds((next.at - moment).milliseconds / 2)
            let again = hours.nextChange(after: between, offset: zone.offset)
            #expect(again?.at == next.at && again?.to == next.to)
            moment = next.at
        }
        if let next = hours.nextChange(after: moment, offset: zone.offset) {
            #expect(next.at > start + .seconds(60 * Int64(minutes)), "\(comment): \(hours.text)")
        }
        let opening = expected.first { $0.to == .open }
        if let opening {
            #expect(hours.nextOpening(after: start, offset: zone.offset) == opening.at)
        }
    }

    @Test(arguments: weeks[1...3])
    func `Changes in Milan match a minute-by-minute scan`(zone: Zone, from: String) throws {
        for sample in OpeningHoursTests.milan {
            let hours = try #require(OpeningHours(sample.text))
            try check(hours, zone, from: from, "Milan")
        }
    }

    @Test(arguments: UInt64(0)..<64)
    func `Changes of random hours match a minute-by-minute scan`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (zone, from) = OpeningHoursPropertyTests.weeks[Int(seed) % 8]
        var checked = 0
        while checked < 2 {
            guard let hours = OpeningHours(OpeningHoursPropertyTests.text(&random)) else {
                continue
            }
            try check(hours, zone, from: from, "seed \(seed)")
            checked += 1
        }
    }
}
