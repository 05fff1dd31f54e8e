/// The time that a clock shows, to the second.
public struct TimeOfDay: Hashable, Comparable, Sendable {
    /// Since midnight, by the clock: 0..<86,400.
    public let seconds: Int

    public static let midnight = TimeOfDay(unchecked: 0)
    static let last = TimeOfDay(unchecked: secondsPerDay - 1)
    static let secondsPerDay = 86_400

    init(unchecked seconds: Int) { self.seconds = seconds }

    /// Nil if no clock shows that; there are no leap seconds.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        seconds = (hour * 60 + minute) * 60 + second
    }

    public var hour: Int { seconds / 3_600 }
    public var minute: Int { seconds / 60 % 60 }
    public var second: Int { seconds % 60 }

    public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
        left.seconds < right.seconds
    }

    /// Reads `02:30` or `02:30:00`.
    public init?(_ text: String) {
        var digits = Digits(text)
        self.init(reading: &digits)
        guard digits.isAtEnd else { return nil }
    }

    init?(reading digits: inout Digits) {
        guard let hour = digits.number(2), digits.take(":"), let minute = digits.number(2) else {
            return nil
        }
        guard digits.take(":") else {
            self.init(hour: hour, minute: minute)
            return
        }
        guard let second = digits.number(2) else { return nil }
        self.init(hour: hour, minute: minute, second: second)
    }

    /// `02:30`, or `02:30:15` if it is no full minute.
    public var text: String {
        let minutes = "\(hour.digits(2)):\(minute.digits(2))"
        return second == 0 ? minutes : "\(minutes):\(second.digits(2))"
    }
}
