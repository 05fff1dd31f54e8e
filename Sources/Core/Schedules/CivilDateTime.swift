/// A date and a time of day together, in no zone.
public struct CivilDateTime: Hashable, Comparable, Sendable {
    public var date: CivilDate
    public var time: TimeOfDay

    public init(date: CivilDate, time: TimeOfDay) { (self.date, self.time) = (date, time) }

    public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        (left.date, left.time) < (right.date, right.time)
    }

    /// Reads `2026-03-29T02:30` or `2026-03-29T02:30:00` (ISO 8601, without a zone).
    public init?(_ text: String) {
        var digits = Digits(text)
        guard let year = digits.number(4), digits.take("-"), let month = digits.number(2),
            digits.take("-"), let day = digits.number(2), digits.take("T"),
            let time = TimeOfDay(reading: &digits), digits.isAtEnd,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        self.init(date: date, time: time)
    }

    /// `2026-03-29T02:30`, with seconds if it is no full minute.
    public var text: String { "\(date.text)T\(time.text)" }
}
