/// Where a journey goes.
public struct Destination: Hashable, Sendable, Codable {
    public var coordinate: Coordinate
    public var name: String?
    /// Metres; nil: ``Rules/arrivalRadius``.
    public var radius: Double?

    public init(coordinate: Coordinate, name: String? = nil, radius: Double? = nil) {
        self.coordinate = coordinate
        self.name = name
        self.radius = radius
    }
}

/// A way to a destination with the time by which the person wants to be there.
public struct Journey: Hashable, Sendable, Codable {
    public let destination: Destination
    public internal(set) var eta: Timestamp
    public let startedAt: Timestamp
    /// The ETA has passed, and the groups were told.
    public internal(set) var isLate = false
    var stillness = Stillness()

    public var isStuck: Bool { stillness.isStuck }

    init(to destination: Destination, eta: Timestamp, startedAt: Timestamp) {
        self.destination = destination
        self.eta = eta
        self.startedAt = startedAt
    }

    /// Whether this fix means that the person is there. A missing accuracy counts as good.
    func isReached(by fix: Fix, _ rules: Rules) -> Bool {
        guard (fix.accuracy ?? 0) <= rules.arrivalAccuracy else { return false }
        let radius = destination.radius ?? rules.arrivalRadius
        return destination.coordinate.distance(to: fix.coordinate) <= radius
    }
}

/// Danger, from the moment it was reported until the person says that it is over.
public struct Emergency: Hashable, Sendable, Codable {
    public let startedAt: Timestamp
    var escalations: [Escalation] = []
    /// When the groups were alerted the last time; nil: when it began.
    var alertedAt: Timestamp?

    /// When the person called for help the last time.
    public var calledAt: Timestamp { alertedAt ?? startedAt }
}

/// What a person on a journey or in an emergency owes their groups: signs of life.
struct Watch: Hashable, Sendable, Codable {
    /// Since when a fix is awaited: the last fresh one, or the start.
    var fixAwaitedSince: Timestamp
    var toldOffline = false
    var toldSilent = false
}
