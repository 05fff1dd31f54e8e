/// An SOS alert that nobody has acknowledged yet: it is repeated up to a limit.
package struct Escalation: Hashable, Sendable {
    package let alert: Alert
    package internal(set) var repeats: Int
    package internal(set) var nextAt: Timestamp

    package init(alert: Alert, repeats: Int = 0, nextAt: Timestamp) {
        self.alert = alert
        self.repeats = repeats
        self.nextAt = nextAt
    }
}
