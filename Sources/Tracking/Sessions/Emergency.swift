/// Danger, from the moment it was reported until the person says that it is over.
public struct Emergency: Hashable, Sendable {
    public let startedAt: Timestamp
    package internal(set) var escalations: [Escalation]
    /// When the groups were last alerted; nil: when it began.
    package internal(set) var alertedAt: Timestamp?

    package init(
        startedAt: Timestamp, escalations: [Escalation] = [], alertedAt: Timestamp? = nil
    ) {
        self.startedAt = startedAt
        self.escalations = escalations
        self.alertedAt = alertedAt
    }

    /// When the person last called for help.
    public var calledAt: Timestamp { alertedAt ?? startedAt }
}
