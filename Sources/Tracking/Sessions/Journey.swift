/// The destination of a journey.
public struct Destination: Hashable, Sendable {
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

/// A way to a destination with a planned time of arrival.
public struct Journey: Hashable, Sendable {
    public let destination: Destination
    public internal(set) var eta: Timestamp
    public let startedAt: Timestamp
    /// The ETA has passed, and the groups have been told.
    public internal(set) var isLate = false
    package internal(set) var stillness = Stillness()
    package private(set) var approach = Approach.unknown

    public var isStuck: Bool { stillness.isStuck }

    init(to destination: Destination, eta: Timestamp, startedAt: Timestamp) {
        self.destination = destination
        self.eta = eta
        self.startedAt = startedAt
    }

    /// Restores a stored value.
    package init(
        to destination: Destination, eta: Timestamp, startedAt: Timestamp, isLate: Bool,
        stillness: Stillness, approach: Approach
    ) {
        self.init(to: destination, eta: eta, startedAt: startedAt)
        self.isLate = isLate
        self.stillness = stillness
        self.approach = approach
    }

    /// - Parameters:
    ///   - fix: newer than all before it.
    ///   - last: the newest one before it.
    /// - Returns: whether this fix means that the person has arrived; only a live one can.
    mutating func isReached(by fix: Fix, after last: Fix?, isLive: Bool, _ rules: Rules) -> Bool {
        if let last, last.takenAt + rules.originAge >= startedAt {
            approach.begin(at: last, destination, rules)
        }
        return approach.judge(fix, destination, isLive: isLive, rules)
    }
}
