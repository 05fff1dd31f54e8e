internal import CMosquittoBroker
internal import Numbers

/// Wakes the broker while somebody is paused.
///
/// The broker gives the plugin its tick when something happens on one of its sockets, and otherwise
/// ten times a second. A paused client whose allowance is available again would resume late then,
/// and send at once whatever has come together meanwhile, which all others have to wait for. A
/// signal ends the broker's wait; nothing else in the broker waits in such a way.
struct Alarm {
    /// The time in which an allowance shared with nobody grows by what it takes to resume.
    private static let interval = Duration.milliseconds(3)

    private var rings = Duration.zero

    init() { take_alarms() }

    /// To be called with each tick while somebody is paused.
    mutating func set(at now: Duration) {
        guard now >= rings else { return }
        rings = now + Alarm.interval
        set_alarm(Int(clamping: Alarm.interval / .microseconds(1)))
    }
}
