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

/// A way to a destination with a planned time of arrival, or a check-in: without a destination, the
/// person says that they are all right until then.
public struct Journey: Hashable, Sendable {
    /// Nil: the person only says until when they are all right.
    public let destination: Destination?
    public internal(set) var eta: Timestamp
    public let startedAt: Timestamp
    /// The ETA has passed, and the groups have been told.
    public internal(set) var isLate = false
    package internal(set) var stillness = Stillness()
    package private(set) var approach = Approach.unknown

    public var isStuck: Bool { stillness.isStuck }

    init(to destination: Destination?, eta: Timestamp, startedAt: Timestamp) {
        self.destination = destination
        self.eta = eta
        self.startedAt = startedAt
    }

    /// Restores a stored value.
    package init(
        to destination: Destination?, eta: Timestamp, startedAt: Timestamp, isLate: Bool,
        stillness: Stillness, approach: Approach
    ) {
        self.init(to: destination, eta: eta, startedAt: startedAt)
        self.isLate = isLate
        self.stillness = stillness
        self.approach = approach
    }

    /// Somebody without a destination may stay where they are for as long as they like.
    mutating func judgeStillness(_ fix: Fix, by rules: Rules) -> Stillness.Verdict {
        destination == nil ? .unchanged : stillness.judge(fix, by: rules)
    }

    /// - Parameters:
    ///   - fix: newer than all before it.
    ///   - last: the newest one before it.
    /// - Returns: whether this fix means that the person has arrived; only a live one can.
    mutating func isReached(by fix: Fix, after last: Fix?, isLive: Bool, _ rules: Rules) -> Bool {
        guard let destination else { return false }
        if let last, last.takenAt + rules.originAge >= startedAt {
            approach.begin(at: last, destination, rules)
        }
        return approach.judge(fix, destination, isLive: isLive, rules)
    }
}
