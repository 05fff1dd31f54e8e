import Fuzzing
import Testing
import Tracking

@testable import Schedules

/// Malicious or mistyped texts.
struct HostileTextTests {
    private static let rules =
        RecurrenceTests.examples.map(\.rule) + [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=DAILY;INTERVAL=1;BYMONTH=2;BYMONTHDAY=29;COUNT=2000",
            "FREQ=DAILY;INTERVAL=999;BYDAY=MO;BYMONTHDAY=31;COUNT=2000",
            "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366,-366,1;COUNT=2000",
        ]
    private static let hours =
        OpeningHoursTests.milan.map(\.text) + OpeningHoursTests.grammar.map(\.text)
    private static let pieces = [
        ";", ",", "-", "+", ":", "=", "\"", "[", "]", " ", "24/7", "Mo", "PH", "Dec", "off",
        "08:00",
        "24:00", "0", "1", "9", "99999999999999999999", "-1", "BYDAY", "COUNT=", "UNTIL=", "FREQ=",
        "\u{0}", "é", "\u{1F600}", "\u{FFFD}", "–",
    ]

    @Test(arguments: UInt64(0)..<20)
    func `Mutated texts are read or refused, and read ones can be evaluated`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<150 {
            var bytes = Array(
                ((seed.isMultiple(of: 2) ? Self.rules : Self.hours).randomElement(using: &random)
                    ?? "")
                    .utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let piece = Self.pieces.randomElement(using: &random) ?? ""
                    bytes.insert(contentsOf: piece.utf8, at: index)
                case 1 where index < bytes.count:
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 2:
                    let end = min(bytes.count, index + Int.random(in: 0...5, using: &random))
                    bytes.removeSubrange(index..<end)
                default:
                    let end = min(bytes.count, index + Int.random(in: 0...30, using: &random))
                    bytes.append(contentsOf: bytes[index..<end])
                }
            }
            do { try ScheduleTexts.read(bytes) } catch {
                Issue.record(
                    "seed \(seed): \(error) with \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func `Random texts are read or refused`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...40, using: &random))
                .map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            try ScheduleTexts.read(Array(text.utf8))
            try ScheduleTexts.read(Array(OpeningHoursPropertyTests.text(&random).utf8))
        }
    }

    /// The work per text is bounded: how often the offset is queried, and how many periods are
    /// examined.
    @Test func `An accepted text is evaluated with few queries`() throws {
        for text in Self.rules {
            let rule = try Recurrence(text)
            let start = try civil("1996-02-29T09:00")
            for year in [1_996, 2_026, 9_000] {
                var asked = 0
                let after = try moment("\(year)-01-01T00:00")
                _ = rule.next(after: after, from: start) { _ in
                    asked += 1
                    return 3_600
                }
                #expect(asked < 40, "\(text) in \(year)")
                var dates = try RecurrenceDates(
                    rule, start: start.date, from: civil("\(year)-01-01T00:00").date)
                _ = dates.next()
                #expect(dates.seenPeriods <= Recurrence.maximumPeriods(rule.frequency))
            }
        }
        for text in Self.hours {
            let hours = try #require(OpeningHours(text))
            var asked = 0
            _ = try hours.nextChange(after: moment("2026-06-01T00:00")) { _ in
                asked += 1
                return 3_600
            }
            #expect(asked < 20, "\(text)")
        }
    }

    @Test(arguments: [
        ("FREQ=YEARLY", 400), ("FREQ=MONTHLY;BYMONTH=2,8", 4_800),
        ("FREQ=WEEKLY;BYMONTH=2", 20_871),
    ])
    func `COUNT is counted for at most four hundred years from the year 1`(
        text: String, periods: Int
    ) throws {
        let rule = try Recurrence("\(text);COUNT=2000")
        var dates = try RecurrenceDates(
            rule, start: civil("0001-01-01T09:00").date, from: civil("2026-06-01T09:00").date)
        #expect(dates.next() == nil)
        #expect(dates.seenPeriods == periods)
    }
}
