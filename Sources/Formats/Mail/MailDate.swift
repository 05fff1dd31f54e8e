/// A moment as RFC 5322, 3.3 writes it, in UTC.
enum MailDate {
    /// - Parameter seconds: since 1970; from 1970 to 9999.
    static func text(_ seconds: Int64) -> String {
        let seconds = min(max(0, seconds), last)
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = date(days)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
        return "\(weekdays[Int(days % 7)]), \(twoDigits(day)) \(months[Int(month) - 1]) \(year) "
            + "\(clock) +0000"
    }

    /// The date in the Gregorian calendar, counted in years that begin in March and eras of 400
    /// years (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let sinceEra = days + 719_468
        let era = sinceEra / 146_097
        let dayOfEra = sinceEra % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The end of 9999.
    private static let last: Int64 = 253_402_300_799
    /// 1970 began on a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
