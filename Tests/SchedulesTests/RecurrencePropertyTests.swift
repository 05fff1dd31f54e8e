import Testing
import Tracking

@testable import Schedules

/// Random rules.
struct RecurrencePropertyTests {
    /// A rule without BYSETPOS, COUNT and UNTIL, and a plain reading of whether a day belongs to it.
    struct Sample {
        var frequency = Recurrence.Frequency.daily
        var interval = 1
        var months: [Int] = []
        var days: [Int] = []
        var weekdays: [(ordinal: Int, weekday: Weekday)] = []
        var weekStart = Weekday.monday

        init(_ random: inout SplitMix64) {
            frequency = Recurrence.Frequency.allCases.randomElement(using: &random) ?? .daily
            interval = [1, 1, 1, 2, 3, 5, 12].randomElement(using: &random) ?? 1
            if Int.random(in: 0..<3, using: &random) == 0 {
                months = (0..<3).map { _ in Int.random(in: 1...12, using: &random) }
            }
            if frequency != .weekly, Int.random(in: 0..<3, using: &random) == 0 {
                days = [1, 2, 13, 28, 29, 30, 31, -1, -2, -29, -31].shuffled(using: &random).suffix(
                    3)
            }
            if Bool.random(using: &random) {
                let mayBeNumbered =
                    frequency == .monthly || (frequency == .yearly && !months.isEmpty)
                weekdays = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    let ordinal = [0, 1, 2, 5, -1, -2].randomElement(using: &random) ?? 0
                    return (
                        mayBeNumbered ? ordinal : 0,
                        Weekday.allCases.randomElement(using: &random) ?? .monday
                    )
                }
            }
            weekStart = Weekday.allCases.randomElement(using: &random) ?? .monday
        }

        var text: String {
            var text = "FREQ=\(frequency.rawValue);INTERVAL=\(interval);WKST=\(weekStart.code)"
            func add(_ name: String, _ values: [String]) {
                if !values.isEmpty { text += ";\(name)=\(values.joined(separator: ","))" }
            }
            add("BYMONTH", months.map { "\($0)" })
            add("BYMONTHDAY", days.map { "\($0)" })
            add(
                "BYDAY", weekdays.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + $0.weekday.code }
            )
            return text
        }

        /// By the table of RFC 5545, 3.3.10, with every part as a filter.
        func has(_ date: CivilDate, start: CivilDate) -> Bool {
            guard date > start else { return date == start }
            let length = CivilDate.length(ofMonth: date.month, in: date.year)
            var distance = date - start
            switch frequency {
            case .daily: break
            case .weekly:
                let weeks = [date, start].map { $0 + -$0.weekday.days(since: weekStart) }
                distance = (weeks[0] - weeks[1]) / 7
            case .monthly: distance = (date.year - start.year) * 12 + date.month - start.month
            case .yearly: distance = date.year - start.year
            }
            guard distance % interval == 0 else { return false }
            if !months.isEmpty, !months.contains(date.month) { return false }
            if !days.isEmpty, !days.contains(date.day), !days.contains(date.day - 1 - length) {
                return false
            }
            if !weekdays.isEmpty {
                return weekdays.contains {
                    $0.weekday == date.weekday
                        && [0, (date.day + 6) / 7, -(length - date.day + 7) / 7].contains(
                            $0.ordinal)
                }
            }
            guard days.isEmpty else { return true }
            switch frequency {
            case .daily: return true
            case .weekly: return date.weekday == start.weekday
            case .monthly: return date.day == start.day
            case .yearly:
                return date.day == start.day && (!months.isEmpty || date.month == start.month)
            }
        }
    }

    @Test(arguments: UInt64(0)..<150)
    func `A rule has exactly the days that match all its parts`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sample = Sample(&random)
        let rule = try Recurrence(sample.text)
        let start = CivilDate(dayNumber: Int.random(in: 15_000...25_000, using: &random))
        let expected = (0..<1_500).map { start + $0 }.filter { sample.has($0, start: start) }
        var dates = RecurrenceDates(rule, start: start, from: start)
        for date in expected {
            let next = dates.next()
            #expect(next == date, "seed \(seed): \(sample.text) from \(start.text)")
            if next != date { return }
        }
        if let next = dates.next() { #expect(next >= start + 1_500, "seed \(seed)") }
    }

    @Test(arguments: UInt64(0)..<100, Zone.all)
    func `The sequence is the same from any moment, and ascending`(seed: UInt64, zone: Zone) throws
    {
        var random = SplitMix64(seed: seed)
        var text = Sample(&random).text
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text += ";COUNT=\(Int.random(in: 1...40, using: &random))"
        case 1: text += ";UNTIL=20280101"
        case 2: text += ";UNTIL=20270605T020000Z"
        default: break
        }
        if text.contains("BY"), Int.random(in: 0..<4, using: &random) == 0 {
            text += ";BYSETPOS=\([1, 2, -1, -2].randomElement(using: &random) ?? 1)"
        }
        let rule = try Recurrence(text)
        let base = zone.name == Zone.apia.name ? "2011-12-20T02:30" : "2026-03-20T02:30"
        let start = CivilDateTime(
            date: try civil(base).date + Int.random(in: 0..<300, using: &random),
            time: try civil(base).time)
        let first = start.timestamp(offset: zone.offset)
        let all = rule.occurrences(
            after: first - .seconds(1), from: start, limit: 60, offset: zone.offset)
        #expect(all.first?.local == start)
        var last = first - .seconds(1)
        for occurrence in all {
            #expect(occurrence.moment > last, "seed \(seed): \(text)")
            let between = Int64.random(
                in: last.milliseconds..<occurrence.moment.milliseconds, using: &random)
            for moment in [
                last, Timestamp(milliseconds: between), occurrence.moment - .milliseconds(1),
            ] {
                let next = rule.next(after: moment, from: start, offset: zone.offset)
                #expect(next == occurrence, "seed \(seed): \(text) after \(moment.text)")
            }
            last = occurrence.moment
        }
        if all.count < 60 {
            #expect(rule.next(after: last, from: start, offset: zone.offset) == nil)
        }
    }
}
