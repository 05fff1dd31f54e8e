internal import JSON
public import Tracking

/// The hours of every day in which a channel is told of calls for help alone: those at which the
/// clocks of a time zone show a time from one to another, past midnight or not.
public struct QuietHours: Hashable, Sendable {
    /// When they begin, in minutes since midnight.
    public let from: Int
    /// When they are over: another time than they begin.
    public let to: Int
    /// By whose clocks: `Europe/Zurich`. Whether there is such a zone, this does not know.
    public let timeZone: String

    /// Nil if the times are no two times of a day, or the name is none of a zone.
    public init?(from: Int, to: Int, timeZone: String) {
        let times = 0..<(24 * 60)
        guard times.contains(from), times.contains(to), from != to,
            QuietHours.isName(timeZone)
        else { return nil }
        (self.from, self.to, self.timeZone) = (from, to, timeZone)
    }

    /// Characters of the longest name. The longest that there are have half as many.
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

    // MARK: What the clocks show

    /// When the hours that a moment lies in are over; nil if it lies in none.
    ///
    /// - Parameter offset: how many seconds the zone's clocks are ahead of UTC at a moment.
    public func end(at now: Timestamp, offset: (Timestamp) -> Int) -> Timestamp? {
        guard let rest = untilEnd(at: now, offset(now)) else { return nil }
        let end = now + rest
        if offset(end) == offset(now) { return end }
        // The clocks are set meanwhile. They are only set when a quarter of an hour is full.
        var moment = now
        let limit = now + .milliseconds(2 * QuietHours.day)
        while moment < limit, let rest = untilEnd(at: moment, offset(moment)) {
            let quarter =
                QuietHours.quarter - modulo(moment.milliseconds, QuietHours.quarter)
            moment = moment + min(rest, .milliseconds(quarter))
        }
        return moment
    }

    /// What the clocks show: `23:10`.
    ///
    /// - Parameter offset: how many seconds they are ahead of UTC.
    public static func clock(at moment: Timestamp, offset: Int) -> String {
        text(Int(local(moment, offset) / minute))
    }

    /// How long until the clocks show the end, if they are set by nobody; nil outside the hours.
    private func untilEnd(at moment: Timestamp, _ offset: Int) -> Duration? {
        let time = QuietHours.local(moment, offset)
        let (from, to) = (Int64(from) * QuietHours.minute, Int64(to) * QuietHours.minute)
        let isQuiet = from < to ? time >= from && time < to : time >= from || time < to
        return isQuiet ? .milliseconds(modulo(to - time, QuietHours.day)) : nil
    }

    /// Milliseconds since midnight.
    private static func local(_ moment: Timestamp, _ offset: Int) -> Int64 {
        modulo(moment.milliseconds + Int64(offset) * 1_000, day)
    }

    private static let minute: Int64 = 60_000
    private static let quarter = 15 * minute
    private static let day = 1_440 * minute

    // MARK: As they are written

    static func text(_ time: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return "\(two(time / 60)):\(two(time % 60))"
    }

    /// Reads `22:00`.
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

    /// `{from,to,timeZone}`.
    func append(to json: inout JSONWriter) {
        json.object { json in
            json.key("from")
            json.string(QuietHours.text(from))
            json.key("to")
            json.string(QuietHours.text(to))
            json.key("timeZone")
            json.string(timeZone)
        }
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
        fields.refuse("to", "must be another time than from")
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
