/// Log messages about an unreadable store: one when that begins, and one when it ends.
struct Complaints {
    private var isRefusalSaid = false
    private var lastRefusal: Duration?
    private var lastReading: Duration?
    /// The time of the first check of the store.
    private var startedAt: Duration?

    /// The minimum time between two messages of a kind.
    private static let interval = Duration.seconds(60)
    /// At a first start the bridge creates the database during this time.
    static let startUp = Duration.seconds(5)

    mutating func lines(_ rights: Rights, at now: Duration) -> [Gatekeeper.Order] {
        var lines: [Gatekeeper.Order] = []
        let isRefusing = !rights.isTrusted(at: now)
        let start = startedAt ?? now
        startedAt = start
        let isStarting = !rights.wasEverRead && now - start < Complaints.startUp
        if isRefusing, !isStarting, !isRefusalSaid, Complaints.isDue(lastRefusal, now) {
            (isRefusalSaid, lastRefusal) = (true, now)
            let reason = rights.failure ?? Rights.absence
            lines.append(
                .log("kith: everything is refused because the database cannot be read. \(reason)"))
        } else if !isRefusing, isRefusalSaid {
            isRefusalSaid = false
            lines.append(.log("kith: the database can be read again."))
        }
        if let failure = rights.takeReadingFailure(), Complaints.isDue(lastReading, now) {
            lastReading = now
            lines.append(
                .log("kith: a client is refused because its rights cannot be read. \(failure)"))
        }
        return lines
    }

    private static func isDue(_ last: Duration?, _ now: Duration) -> Bool {
        last.map { now - $0 >= interval } ?? true
    }
}
