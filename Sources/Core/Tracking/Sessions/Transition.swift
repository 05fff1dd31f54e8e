/// A person's action on the session of one group.
public enum Action: CaseIterable, Sendable {
    case startSharing
    case stopSharing
    case startJourney
    /// The person stopped the journey, or arrived.
    case endJourney
    case triggerSOS
    case stopSOS
}

/// The reason why a person cannot do something now.
public enum Refusal: String, Error, CaseIterable, Sendable {
    case alreadyOnAJourney = "already-on-a-journey"
    case notOnAJourney = "not-on-a-journey"
    case alreadyInSOS = "already-in-sos"
    case notInSOS = "not-in-sos"
    /// The user has no session in that group.
    case notAMember = "not-a-member"
    /// The ETA is not in the future.
    case etaPassed = "eta-passed"
}

/// The effect of an action on a session.
public enum Transition: Equatable, Sendable {
    case stays
    case becomes(Target)
    case refused(Refusal)

    /// A state without its associated data.
    public enum Target: Sendable {
        case inactive, active, routing, sos
    }
}

extension Session.State {
    /// The table of the contract, section 6: a row per action, a column per state.
    public func transition(on action: Action) -> Transition {
        switch (action, self) {
        case (.startSharing, .inactive): .becomes(.active)
        case (.startSharing, .active): .stays
        case (.startSharing, .routing): .stays
        case (.startSharing, .sos): .stays

        case (.stopSharing, .inactive): .stays
        case (.stopSharing, .active): .becomes(.inactive)
        case (.stopSharing, .routing): .becomes(.inactive)
        case (.stopSharing, .sos): .refused(.alreadyInSOS)

        case (.startJourney, .inactive): .becomes(.routing)
        case (.startJourney, .active): .becomes(.routing)
        case (.startJourney, .routing): .refused(.alreadyOnAJourney)
        case (.startJourney, .sos): .refused(.alreadyInSOS)

        case (.endJourney, .inactive): .refused(.notOnAJourney)
        case (.endJourney, .active): .refused(.notOnAJourney)
        case (.endJourney, .routing): .becomes(.active)
        case (.endJourney, .sos): .refused(.notOnAJourney)

        case (.triggerSOS, .inactive): .becomes(.sos)
        case (.triggerSOS, .active): .becomes(.sos)
        case (.triggerSOS, .routing): .becomes(.sos)
        case (.triggerSOS, .sos): .refused(.alreadyInSOS)

        case (.stopSOS, .inactive): .refused(.notInSOS)
        case (.stopSOS, .active): .refused(.notInSOS)
        case (.stopSOS, .routing): .refused(.notInSOS)
        case (.stopSOS, .sos): .becomes(.active)
        }
    }
}
