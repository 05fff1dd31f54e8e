/// An SOS alert that nobody has acknowledged yet: it is raised again and again, up to a bound.
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
