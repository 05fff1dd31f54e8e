/// A person's activity that groups follow. There is only one at a time: a journey waits during an
/// SOS, which takes over its path.
public enum Undertaking: Hashable, Sendable {
    case nothing
    case journey(Journey, Following)
    case emergency(Emergency, Following)

    /// The reason why nothing else can be started; nil if there is no activity.
    var refusal: Refusal? {
        switch self {
        case .nothing: nil
        case .journey: .alreadyOnAJourney
        case .emergency: .alreadyInSOS
        }
    }

    public var following: Following? {
        switch self {
        case .nothing: nil
        case .journey(_, let following), .emergency(_, let following): following
        }
    }

    // MARK: Changing it in place

    /// - Returns: nil if there is no activity.
    @discardableResult
    mutating func follow<Value>(_ body: (inout Following) -> Value) -> Value? {
        switch self {
        case .nothing:
            return nil
        case .journey(let journey, var following):
            self = .nothing  // Avoids copying.
            defer { self = .journey(journey, following) }
            return body(&following)
        case .emergency(let emergency, var following):
            self = .nothing
            defer { self = .emergency(emergency, following) }
            return body(&following)
        }
    }

    /// - Returns: nil if there is no journey.
    @discardableResult
    mutating func changeJourney<Value>(_ body: (inout Journey) -> Value) -> Value? {
        guard case .journey(var journey, let following) = self else { return nil }
        self = .nothing
        defer { self = .journey(journey, following) }
        return body(&journey)
    }

    /// - Returns: nil if no journey waits.
    @discardableResult
    mutating func changeWaiting<Value>(_ body: (inout WaitingJourney) -> Value) -> Value? {
        let value: Value?? = changeEmergency { emergency in
            guard var waiting = emergency.waiting else { return nil }
            defer { emergency.waiting = waiting }
            return body(&waiting)
        }
        return value ?? nil
    }

    /// - Returns: nil if there is no emergency.
    @discardableResult
    mutating func changeEmergency<Value>(_ body: (inout Emergency) -> Value) -> Value? {
        guard case .emergency(var emergency, let following) = self else { return nil }
        self = .nothing
        defer { self = .emergency(emergency, following) }
        return body(&emergency)
    }
}

/// A journey during an SOS: the groups that know of the SOS receive nothing about the journey until
/// the SOS is over. For its other followers it continues.
package struct WaitingJourney: Hashable, Sendable {
    package internal(set) var journey: Journey
    /// The groups that follow it and know of the SOS, in ascending order.
    package internal(set) var groups: [GroupID]
    /// Whether the person has reached the destination in the meantime.
    package internal(set) var isReached: Bool

    package init(_ journey: Journey, groups: [GroupID], isReached: Bool = false) {
        self.journey = journey
        self.groups = groups
        self.isReached = isReached
    }
}

/// The state for groups that follow a person: the path, and the watch for silence.
public struct Following: Hashable, Sendable {
    public internal(set) var path: Path
    package var watch: Watch

    package init(path: Path, watch: Watch) {
        self.path = path
        self.watch = watch
    }
}

/// The signs of life that groups expect from a person on a journey or in an emergency.
package struct Watch: Hashable, Sendable {
    /// The time since which a fix is awaited: the last fresh one, or the start.
    package var fixAwaitedSince: Timestamp
    package var toldOffline: Bool
    package var toldSilent: Bool

    package init(
        fixAwaitedSince: Timestamp, toldOffline: Bool = false, toldSilent: Bool = false
    ) {
        self.fixAwaitedSince = fixAwaitedSince
        self.toldOffline = toldOffline
        self.toldSilent = toldSilent
    }
}
