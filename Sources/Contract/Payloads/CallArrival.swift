public import Tracking

/// The user property (MQTT 5, 3.3.2.3.7) in which the gate adds to a call for help when the broker received
/// it: the time that the call has waited for the bridge counts in how long the call took.
public enum CallArrival {
    public static let property = "kith-arrival"

    /// Milliseconds since 1970, by the clock of the broker's machine.
    public static func text(_ time: Timestamp) -> String { "\(time.milliseconds)" }

    /// Returns how long the call has waited; none if that is not known, as with a clock that was set
    /// back in the meantime.
    public static func wait(since text: String, until now: Timestamp) -> Duration {
        guard let milliseconds = Int64(text),
            (now.milliseconds - longest...now.milliseconds).contains(milliseconds)
        else { return .zero }
        return .milliseconds(now.milliseconds - milliseconds)
    }

    /// A day, in milliseconds: a clock that was set ahead would make any call look late.
    private static let longest: Int64 = 86_400_000
}
