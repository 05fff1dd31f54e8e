/// An emergency, from the call until the person ends it.
public struct Emergency: Hashable, Sendable {
    public let startedAt: Timestamp
    /// The cause of the call; the person's own call is the stronger cause.
    public internal(set) var cause: Cause
    /// The time at which the called party confirmed help.
    public internal(set) var assistedAt: Timestamp?
    /// The members who help, in the order of their responses.
    public internal(set) var responses: [HelperResponse]
    package internal(set) var escalations: [Escalation]
    /// The person's waiting journey.
    package internal(set) var waiting: WaitingJourney?
    /// When the groups were last alerted; nil: when it began.
    package internal(set) var alertedAt: Timestamp?

    public enum Cause: String, Hashable, Sendable, CaseIterable {
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
