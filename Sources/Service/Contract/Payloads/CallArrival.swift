public import Tracking

/// The user property (MQTT 5, 3.3.2.3.7) with which the gate adds the broker's reception time to a
/// call for help: the wait for the bridge counts in the call's duration.
public enum CallArrival {
    public static let property = "kith-arrival"

    /// Milliseconds since 1970, by the clock of the broker's machine.
    public static func text(_ time: Timestamp) -> String { "\(time.milliseconds)" }

    /// Returns how long the call has waited; zero if unknown, for example if the clock was set back
    /// in the meantime.
    public static func wait(since text: String, until now: Timestamp) -> Duration {
        guard let milliseconds = Int64(text),
            (now.milliseconds - longest...now.milliseconds).contains(milliseconds)
        else { return .zero }
        return .milliseconds(now.milliseconds - milliseconds)
    }

    /// Returns when the call was received; nil if that was too long ago for the call to date from
    /// then, or the clocks differ by too much.
    public static func time(_ text: String, at now: Timestamp) -> Timestamp? {
        guard let milliseconds = Int64(text) else { return nil }
        let time = Timestamp(milliseconds: milliseconds)
        return time >= now - longestOutage && time <= now + greatestLead ? time : nil
    }

    /// Longer than a database takes to fail over, or a machine to restart.
    public static let longestOutage = Duration.seconds(3_600)
    /// How far the clock of the broker's machine may be ahead.
    public static let greatestLead = Duration.seconds(60)

    /// A day, in milliseconds: a clock that was set ahead would make any call look late.
    private static let longest: Int64 = 86_400_000
}
