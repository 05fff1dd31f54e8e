public import Tracking

/// A text with its values, before it is known who reads it.
public struct Phrase: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case text(String)
        case number(Int)
        /// Hours and minutes, with the date unless it is near that moment.
        case clock(Timestamp, near: Timestamp?)
        /// Hours, minutes and seconds.
        case seconds(Timestamp)
        case phrase(Phrase)
    }

    public let text: ServerText
    public let values: [String: Value]

    public init(_ text: ServerText, _ values: [String: Value] = [:]) {
        (self.text, self.values) = (text, values)
    }

    /// - Parameter near: nil: the date is always shown.
    public static func time(_ time: Timestamp, near: Timestamp?) -> Value {
        .clock(time, near: near)
    }
}

extension Reader {
    /// Returns a time as shown to this reader: `14:05`, `2026-11-24 14:05`, and `UTC` if no zone is
    /// known.
    func clock(_ time: Timestamp, near: Timestamp? = nil, withDate: Bool, seconds: Bool = false)
        -> String
    {
        let offset = Int64(offset?(time.milliseconds) ?? 0)
        let (days, inDay) = Reader.divide(time.milliseconds / 1_000 + offset, 86_400)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        var text = "\(two(inDay / 3_600)):\(two(inDay / 60 % 60))"
        if seconds { text += ":\(two(inDay % 60))" }
        if self.offset == nil { text += " UTC" }
        let isNear = near.map {
            time <= $0 + .seconds(43_200) && time >= $0 - .seconds(43_200)
        }
        guard withDate, isNear != true else { return text }
        let (year, month, day) = Reader.date(days)
        return "\(year)-\(two(month))-\(two(day)) \(text)"
    }

    private static func divide(_ value: Int64, _ by: Int64) -> (Int64, Int64) {
        let rest = ((value % by) + by) % by
        return ((value - rest) / by, rest)
    }

    /// The date of a day since 1970 (H. Hinnant, "chrono-compatible low-level date algorithms").
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, inEra) = divide(days + 719_468, 146_097)
        let year = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let day = inYear - (153 * month + 2) / 5 + 1
        let shown = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (shown <= 2 ? 1 : 0), shown, day)
    }
}
