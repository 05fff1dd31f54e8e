public import Tracking

extension Timestamp {
    /// `2026-11-21T07:44:46.123Z`: RFC 3339, always in UTC with three decimals. A time without such
    /// a text is written as the nearest time with one, in the year 1 or 9999.
    public var rfc3339: String {
        var bytes: [UInt8] = []
        appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendRFC3339(to bytes: inout [UInt8]) {
        let printable = min(
            max(milliseconds, Timestamp.printable.lowerBound), Timestamp.printable.upperBound)
        let (days, inDay) = printable.quotientAndRemainder(flooringBy: 86_400_000)
        let (year, month, day) = Self.date(days: days)
        let second = UInt32(truncatingIfNeeded: inDay / 1000)
        func put(_ value: UInt32) {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
        }
        put(UInt32(truncatingIfNeeded: year / 100))
        put(UInt32(truncatingIfNeeded: year % 100))
        bytes.append(UInt8(ascii: "-"))
        put(UInt32(truncatingIfNeeded: month))
        bytes.append(UInt8(ascii: "-"))
        put(UInt32(truncatingIfNeeded: day))
        bytes.append(UInt8(ascii: "T"))
        put(second / 3600)
        bytes.append(UInt8(ascii: ":"))
        put(second / 60 % 60)
        bytes.append(UInt8(ascii: ":"))
        put(second % 60)
        bytes.append(UInt8(ascii: "."))
        let thousandths = UInt32(truncatingIfNeeded: inDay % 1000)
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: thousandths / 100))
        put(thousandths % 100)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Reads any RFC 3339 date-time of the years 0001 to 9999, with `Z` or an offset; decimals
    /// beyond milliseconds are truncated. A leap second counts as the next second. Nil for anything
    /// else.
    public init?(rfc3339 text: String) {
        var text = text
        guard let milliseconds = text.withUTF8({ Self.milliseconds(rfc3339: $0) }) else {
            return nil
        }
        self.init(milliseconds: milliseconds)
    }

    private static func milliseconds(rfc3339 text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var reader = DigitReader(text: text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2),
            reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
            reader.skip(":"), let second = reader.number(2),
            let fraction = reader.skip(".") ? reader.thousandths() : 0,
            let offset = reader.offset(), reader.isAtEnd,
            year > 0, (1...12).contains(month), day >= 1, day <= length(of: month, in: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = days(year: year, month: month, day: day)
        let inDay = (hour * 60 + minute - offset) * 60_000 + second * 1000 + fraction
        let milliseconds = days * 86_400_000 + inDay
        return printable.contains(milliseconds) ? milliseconds : nil
    }

    /// The milliseconds of the years 0001 to 9999 in UTC, the only ones with such a text.
    static let printable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    // MARK: The proleptic Gregorian calendar

    // Days are counted from 1970-01-01; years begin in March, so that the leap day comes last. The
    // method is H. Hinnant's, "chrono-compatible low-level date algorithms" (2013).

    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = year.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func length(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

private struct DigitReader {
    let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }
    var next: UInt8? { isAtEnd ? nil : text[position] }

    mutating func number(_ width: Int) -> Int64? {
        guard text.count - position >= width else { return nil }
        var value: Int64 = 0
        for index in position..<(position + width) {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        position += width
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func thousandths() -> Int64? {
        var value: Int64 = 0
        var digits = 0
        while let digit = number(1) {
            if digits < 3 { value = value * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        while digits < 3 {
            value *= 10
            digits += 1
        }
        return value
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
