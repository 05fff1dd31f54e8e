public import Tracking

/// A recurrence rule of iCalendar (RFC 5545, 3.3.10), in whole days, weeks, months or years.
///
/// It does not include its start, which is an argument, as `DTSTART` is in iCalendar. See
/// ``next(after:from:offset:)``.
public struct Recurrence: Hashable, Sendable {
    public enum Frequency: String, Hashable, CaseIterable, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    public enum End: Hashable, Sendable {
        /// After this many occurrences, including the start.
        case count(Int)
        case until(Limit)
    }

    /// The last possible occurrence.
    public enum Limit: Hashable, Sendable {
        /// The whole day counts.
        case date(CivilDate)
        /// By the local clocks.
        case local(CivilDateTime)
        /// To the second.
        case moment(Timestamp)
    }

    public internal(set) var frequency: Frequency
    /// The number of days, weeks, months or years from one period to the next.
    public internal(set) var interval = 1
    public internal(set) var end: End?
    /// BYMONTH.
    var months = NumberSet()
    /// BYMONTHDAY, from the first day of the month …
    var days = NumberSet()
    /// … and from the last one, which is 1.
    var daysFromEnd = NumberSet()
    /// BYDAY, sorted.
    var weekdays: [WeekdayRule] = []
    /// BYSETPOS, sorted.
    var positions: [Int] = []
    /// WKST.
    var weekStart = Weekday.monday

    init(_ frequency: Frequency) { self.frequency = frequency }

    /// Bytes of UTF-8.
    public static let maximumLength = 500
    public static let maximumInterval = 1_000
    public static let maximumCount = 2_000

    /// One of BYDAY: `MO`, `1MO`, `-1FR`.
    struct WeekdayRule: Hashable, Comparable, Sendable {
        /// 1 for the first one in the month or year, −1 for the last one, 0 for all.
        let ordinal: Int
        let weekday: Weekday

        static func < (left: WeekdayRule, right: WeekdayRule) -> Bool {
            (left.weekday.rawValue, left.ordinal) < (right.weekday.rawValue, right.ordinal)
        }

        var text: String { (ordinal == 0 ? "" : "\(ordinal)") + weekday.code }
    }

    // MARK: Text

    /// The rule with its parts and their values in one order, without defaults.
    public var text: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        func append(_ part: Part, _ values: [String]) {
            if !values.isEmpty {
                parts.append("\(part.rawValue)=\(values.joined(separator: ","))")
            }
        }
        if interval > 1 { append(.interval, ["\(interval)"]) }
        switch end {
        case .count(let count): append(.count, ["\(count)"])
        case .until(let limit): append(.until, [limit.text])
        case nil: break
        }
        append(.byMonth, months.numbers.map { "\($0)" })
        append(
            .byMonthDay,
            days.numbers.map { "\($0)" } + daysFromEnd.numbers.reversed().map { "-\($0)" })
        append(.byDay, weekdays.map(\.text))
        append(.bySetPosition, positions.map { "\($0)" })
        if weekStart != .monday { append(.weekStart, [weekStart.code]) }
        return parts.joined(separator: ";")
    }
}

extension Recurrence.Limit {
    /// `19971224`, `19971224T000000` or `19971224T000000Z` (RFC 5545, 3.3.4 and 3.3.5).
    var text: String {
        switch self {
        case .date(let date): Recurrence.Limit.text(date)
        case .local(let time): Recurrence.Limit.text(time)
        case .moment(let moment):
            Recurrence.Limit.text(CivilDateTime(moment, ahead: 0)) + "Z"
        }
    }

    private static func text(_ date: CivilDate) -> String {
        let (year, month, day) = date.parts
        return year.digits(4) + month.digits(2) + day.digits(2)
    }

    private static func text(_ time: CivilDateTime) -> String {
        let clock = time.time
        return "\(text(time.date))T"
            + clock.hour.digits(2) + clock.minute.digits(2) + clock.second.digits(2)
    }
}
