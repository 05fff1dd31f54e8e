/// A day as calendars show it, in no zone: of the proleptic Gregorian calendar.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01, negative before.
    public let dayNumber: Int

    /// The years that have dates: those that ISO 8601 writes with four digits, except the year 0.
    public static let years = 1...9_999
    static let first = CivilDate(firstOf: years.lowerBound)
    static let last = CivilDate(dayNumber: CivilDate(firstOf: years.upperBound + 1).dayNumber - 1)

    /// - Parameter dayNumber: inside the years, or nearly: dates outside are for computing only.
    init(dayNumber: Int) { self.dayNumber = dayNumber }

    /// The first of January, or of another month.
    init(firstOf year: Int, month: Int = 1) {
        dayNumber = CivilDate.dayNumber(year, month, 1)
    }

    /// Nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard CivilDate.years.contains(year), (1...12).contains(month),
            (1...CivilDate.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        dayNumber = CivilDate.dayNumber(year, month, day)
    }

    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        left.dayNumber < right.dayNumber
    }

    /// Nil outside the years.
    public func adding(days: Int) -> CivilDate? {
        let (sum, isTooFar) = dayNumber.addingReportingOverflow(days)
        let date = CivilDate(dayNumber: sum)
        return isTooFar || date < .first || date > .last ? nil : date
    }

    /// Adds a few days, unchecked.
    static func + (date: CivilDate, days: Int) -> CivilDate {
        CivilDate(dayNumber: date.dayNumber + days)
    }

    static func - (left: CivilDate, right: CivilDate) -> Int { left.dayNumber - right.dayNumber }

    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        Weekday.allCases[(dayNumber + 3).modulo(7)]
    }

    public var year: Int { parts.year }
    /// 1...12.
    public var month: Int { parts.month }
    /// 1...31.
    public var day: Int { parts.day }

    // MARK: Arithmetic

    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil and
    // civil_from_days: years that begin in March, in eras of 400 years.

    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.floorDivided(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Year, month and day together.
    var parts: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * march + 2) / 5 + 1
        )
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Days.
    static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // MARK: Text

    /// Reads `2026-03-29` (ISO 8601, extended format).
    public init?(_ text: String) {
        var digits = Digits(text)
        guard let year = digits.number(4), digits.take("-"), let month = digits.number(2),
            digits.take("-"), let day = digits.number(2), digits.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `2026-03-29`.
    public var text: String {
        let (year, month, day) = parts
        return "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))"
    }
}

extension Int {
    /// The quotient, rounded down.
    func floorDivided(by divisor: Int) -> Int {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// The remainder of the quotient rounded down: never negative.
    func modulo(_ divisor: Int) -> Int { self - floorDivided(by: divisor) * divisor }
}
