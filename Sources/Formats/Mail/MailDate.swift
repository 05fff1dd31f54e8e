internal import Foundation

/// A moment as RFC 5322, 3.3 writes it, in UTC.
enum MailDate {
    /// - Parameter seconds: since 1970; from 1970 to 9999.
    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(min(max(0, seconds), last))).formatted(style)
    }

    /// Independent of the machine's language and zone.
    private static let style = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
            \(year: .padded(4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
            \(minute: .twoDigits):\(second: .twoDigits) +0000
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian))

    /// The end of 9999.
    private static let last: Int64 = 253_402_300_799
}
