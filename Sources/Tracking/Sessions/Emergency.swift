/// Danger, from the moment it was reported until the person says that it is over.
public struct Emergency: Hashable, Sendable {
    public let startedAt: Timestamp
    /// Why help is called; the person's own call is the stronger cause.
    public internal(set) var cause: Cause
    /// Since when somebody has been helping, if whoever was called says so.
    public internal(set) var assistedAt: Timestamp?
    /// Who says that they help, in the order in which they did.
    public internal(set) var responses: [HelperResponse]
    package internal(set) var escalations: [Escalation]
    /// The journey that the person was on.
    package internal(set) var waiting: WaitingJourney?
    /// When the groups were last alerted; nil: when it began.
    package internal(set) var alertedAt: Timestamp?

    public enum Cause: String, Hashable, Sendable {
        /// The person called.
        case person
        /// The service called, because of the person's vital signs.
        case vitalSigns = "vital-signs"

        var alert: Alert.Kind {
            switch self {
            case .person: .sos
            case .vitalSigns: .inNeed
            }
        }
    }

    package init(
        startedAt: Timestamp, cause: Cause = .person, escalations: [Escalation] = [],
        alertedAt: Timestamp? = nil, assistedAt: Timestamp? = nil,
        responses: [HelperResponse] = [], waiting: WaitingJourney? = nil
    ) {
        self.startedAt = startedAt
        self.cause = cause
        self.escalations = escalations
        self.alertedAt = alertedAt
        self.assistedAt = assistedAt
        self.responses = responses
        self.waiting = waiting
    }

    /// When the person last called for help.
    public var calledAt: Timestamp { alertedAt ?? startedAt }
}
