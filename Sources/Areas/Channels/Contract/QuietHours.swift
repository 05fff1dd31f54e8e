internal import JSON
public import Tracking

/// The daily hours in which a channel receives only calls for help: those between two times of day
/// in a time zone, past midnight or not.
public struct QuietHours: Hashable, Sendable {
    /// The beginning, in minutes since midnight.
    public let from: Int
    /// The end, different from the beginning.
    public let to: Int
    /// The time zone: `Europe/Zurich`. Whether it exists is not checked here.
    public let timeZone: String

    /// Nil unless the times are two different times of day, and the name is well-formed.
    public init?(from: Int, to: Int, timeZone: String) {
        let times = 0..<(24 * 60)
        guard times.contains(from), times.contains(to), from != to,
            QuietHours.isName(timeZone)
        else { return nil }
        (self.from, self.to, self.timeZone) = (from, to, timeZone)
    }

    /// Characters: twice the length of the longest existing name.
    static let maximumName = 64

    static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...maximumName).contains(bytes.count)
            && bytes.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), UInt8(ascii: "+"):
                    true
                default: false
                }
            }
    }

    // MARK: Local time

    /// Returns the end of the quiet hours at that time; nil outside of them.
    ///
    /// - Parameter offset: the zone's offset from UTC at a moment, in seconds.
    public func end(at now: Timestamp, offset: (Timestamp) -> Int) -> Timestamp? {
        guard let rest = untilEnd(at: now, offset(now)) else { return nil }
        let end = now + rest
        if offset(end) == offset(now) { return end }
        // The clocks change in between, which they only do on a quarter of an hour.
        var moment = now
        let limit = now + .milliseconds(2 * QuietHours.day)
        while moment < limit, let rest = untilEnd(at: moment, offset(moment)) {
            let quarter =
                QuietHours.quarter - modulo(moment.milliseconds, QuietHours.quarter)
            moment = moment + min(rest, .milliseconds(quarter))
        }
        return moment
    }

    /// Returns the local time: `23:10`.
    ///
    /// - Parameter offset: from UTC, in seconds.
    public static func clock(at moment: Timestamp, offset: Int) -> String {
        text(Int(local(moment, offset) / minute))
    }

    /// Returns the time until the end, assuming that the clocks do not change; nil outside the
    /// hours.
    private func untilEnd(at moment: Timestamp, _ offset: Int) -> Duration? {
        let time = QuietHours.local(moment, offset)
        let (from, to) = (Int64(from) * QuietHours.minute, Int64(to) * QuietHours.minute)
        let isQuiet = from < to ? time >= from && time < to : time >= from || time < to
        return isQuiet ? .milliseconds(modulo(to - time, QuietHours.day)) : nil
    }

    /// Returns the milliseconds since local midnight.
    private static func local(_ moment: Timestamp, _ offset: Int) -> Int64 {
        modulo(moment.milliseconds + Int64(offset) * 1_000, day)
    }

    private static let minute: Int64 = 60_000
    private static let quarter = 15 * minute
    private static let day = 1_440 * minute

    // MARK: Text form

    static func text(_ time: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return "\(two(time / 60)):\(two(time % 60))"
    }

    /// Parses `22:00`.
    static func time(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        var digits: [Int] = []
        for byte in bytes[..<2] + bytes[3...] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            digits.append(Int(byte - UInt8(ascii: "0")))
        }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        return hours < 24 && minutes < 60 ? hours * 60 + minutes : nil
    }
}

private func modulo(_ number: Int64, _ divisor: Int64) -> Int64 {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
}

extension QuietHours {
    static let times = Form(
        Form("from", .timeOfDay, "such as `22:00`"), Form("to", .timeOfDay)
    ) { (from: $0, to: $1) }.reading { times, fields, _ in
        if times.from != times.to { return times }
        fields.refuse("to", "must not be the same time as from")
        return nil
    }
}

extension Kind where Value == QuietHours {
    static let quietHours = Kind.object(
        Form(QuietHours.times, Form("timeZone", .timeZone, "such as `Europe/Zurich`")) { ($0, $1) }
            .reading { hours, _, _ in
                QuietHours(from: hours.0.from, to: hours.0.to, timeZone: hours.1)
            })
}

extension Kind where Value == Int {
    /// `22:00`, in minutes after midnight.
    static let timeOfDay = Kind.text(orRefuse: "must be a time of day, such as 22:00") {
        QuietHours.time($0)
    }
}

extension WrittenKind where Value == QuietHours {
    static let quietHours = WrittenKind.object(
        .init("from", .timeOfDay) { $0.from }, .init("to", .timeOfDay) { $0.to },
        .init("timeZone", .text(as: .timeZone)) { $0.timeZone })
}

extension WrittenKind where Value == Int {
    /// `22:00`, from minutes after midnight.
    static let timeOfDay = WrittenKind(Kind.timeOfDay.schema) { $1.string(QuietHours.text($0)) }
}
