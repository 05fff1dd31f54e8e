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
    private var approach = Approach.unknown

    public var isStuck: Bool { stillness.isStuck }

    init(to destination: Destination, eta: Timestamp, startedAt: Timestamp) {
        self.destination = destination
        self.eta = eta
        self.startedAt = startedAt
    }

    /// Journeys that began before ``approach`` was kept have left where they go.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        destination = try values.decode(Destination.self, forKey: .destination)
        eta = try values.decode(Timestamp.self, forKey: .eta)
        startedAt = try values.decode(Timestamp.self, forKey: .startedAt)
        isLate = try values.decode(Bool.self, forKey: .isLate)
        stillness = try values.decode(Stillness.self, forKey: .stillness)
        approach = try values.decodeIfPresent(Approach.self, forKey: .approach) ?? .travelling
    }

    /// - Parameters:
    ///   - fix: newer than all before it.
    ///   - last: the newest one before it.
    /// - Returns: whether this fix means that the person is there; only a live one can.
    mutating func isReached(by fix: Fix, after last: Fix?, isLive: Bool, _ rules: Rules) -> Bool {
        if let last, last.takenAt + rules.originAge >= startedAt {
            approach.begin(at: last, destination, rules)
        }
        return approach.judge(fix, destination, isLive: isLive, rules)
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
