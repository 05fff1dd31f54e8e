/// An SOS alert that nobody has acknowledged yet: it is raised again and again, up to a bound.
struct Escalation: Hashable, Sendable, Codable {
    let alert: Alert
    var repeats = 0
    var nextAt: Timestamp
}
