internal import CMosquittoBroker
internal import Numbers

/// Wakes the broker while a client is paused.
///
/// The broker calls the plugin's tick on socket events, and otherwise ten times a second. A paused
/// client whose allowance is available again would resume late, and send everything accumulated in
/// one burst, for which all others have to wait. A signal ends the broker's wait; nothing else in
/// the broker waits like this.
struct Alarm {
    /// The time in which an unshared allowance grows by the amount needed to resume.
    private static let interval = Duration.milliseconds(3)

    private var rings = Duration.zero

    init() { take_alarms() }

    /// To be called with each tick while a client is paused.
    mutating func set(at now: Duration) {
        guard now >= rings else { return }
        rings = now + Alarm.interval
        set_alarm(Int(clamping: Alarm.interval / .microseconds(1)))
    }
}
