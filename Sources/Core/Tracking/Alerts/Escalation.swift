/// A call for help to a group: it is repeated until a member responds that they help or two have
/// seen it, up to a limit.
package struct Escalation: Hashable, Sendable {
    /// The alert, with the last reported position.
    package internal(set) var alert: Alert
    package internal(set) var repeats: Int
    package internal(set) var nextAt: Timestamp
    /// Whether it was answered, or repeated often enough.
    package internal(set) var isOver: Bool

    package init(alert: Alert, repeats: Int = 0, nextAt: Timestamp, isOver: Bool = false) {
        self.alert = alert
        self.repeats = repeats
        self.nextAt = nextAt
        self.isOver = isOver
    }

    /// - Parameter fix: the position to report.
    mutating func repeats(showing fix: Fix?, at now: Timestamp, _ rules: Rules) -> Effect {
        alert = alert.showing(fix)
        repeats += 1
        nextAt = now + rules.repeatAfter
        if repeats >= rules.repeatAtMost { isOver = true }
        return .alert(alert, repetition: repeats)
    }
}
