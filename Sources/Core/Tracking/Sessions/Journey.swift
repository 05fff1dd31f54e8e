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

/// A journey to a destination with a planned time of arrival, or a check-in: without a destination,
/// the person confirms that they are all right until then.
public struct Journey: Hashable, Sendable {
    /// Nil for a check-in.
    public let destination: Destination?
    public internal(set) var eta: Timestamp
    public let startedAt: Timestamp
    /// The number of the path with which it began.
    public let number: Int64
    /// Whether the ETA has passed, and the groups have been notified.
    public internal(set) var isLate = false
    package internal(set) var stillness = Stillness()
    package private(set) var approach = Approach.unknown

    public var isStuck: Bool { stillness.isStuck }

    init(to destination: Destination?, eta: Timestamp, startedAt: Timestamp, number: Int64) {
        self.destination = destination
        self.eta = eta
        self.startedAt = startedAt
        self.number = number
    }

    /// Restores a stored value.
    package init(
        to destination: Destination?, eta: Timestamp, startedAt: Timestamp, number: Int64,
        isLate: Bool,
        stillness: Stillness, approach: Approach
    ) {
        self.init(to: destination, eta: eta, startedAt: startedAt, number: number)
        self.isLate = isLate
        self.stillness = stillness
        self.approach = approach
    }

    /// Judges whether the person is stuck. A person without a destination, or who seems to be
    /// there, may stay any time.
    mutating func judgeStillness(_ fix: Fix, by rules: Rules) -> Stillness.Verdict {
        destination == nil || approach.isThere ? .unchanged : stillness.judge(fix, by: rules)
    }

    private var plan: Plan { Plan(from: startedAt, to: eta) }

    /// The first millisecond after the ETA, until the groups have been notified.
    var lateAt: Timestamp? { isLate ? nil : eta + .milliseconds(1) }

    /// - Parameters:
    ///   - fix: a new fix.
    ///   - last: the newest fix before it.
    ///   - isLive: whether the fix is the newest one and fresh.
    /// - Returns: whether this fix means that the person has arrived; only a live one can.
    mutating func isReached(by fix: Fix, after last: Fix?, isLive: Bool, _ rules: Rules) -> Bool {
        guard let destination else { return false }
        // Fixes from before the journey only show where it began.
        func begin(at fix: Fix) {
            guard approach.judgedThrough == nil, fix.takenAt + rules.originAge >= startedAt,
                let origin = Sighting(fix, destination, isLive: false, rules)
            else { return }
            approach.begin(at: origin)
        }
        if let last { begin(at: last) }
        guard isLive || fix.takenAt >= startedAt else {
            begin(at: fix)
            return false
        }
        guard let sighting = Sighting(fix, destination, isLive: isLive, rules) else {
            return false
        }
        return approach.judge(sighting, plan, rules)
    }

    /// The same for a report of an app that monitors the destination itself.
    mutating func isReached(by crossing: Crossing, at now: Timestamp, _ rules: Rules) -> Bool {
        guard let destination, crossing.at >= startedAt,
            let sighting = Sighting(crossing, destination, heardAt: now, rules)
        else { return false }
        return approach.judge(sighting, plan, rules)
    }

    /// When the person counts as having arrived without further messages; nil without evidence that
    /// they are there. That is when the groups would be alarmed: by silence, or at the ETA.
    ///
    /// - Parameters:
    ///   - isSilent: whether they have been alarmed by silence.
    ///   - silentAt: returns when silence begins, for the time since which a fix is awaited.
    func arrivesAt(isSilent: Bool, silentAt: (Timestamp) -> Timestamp) -> Timestamp? {
        guard let visit = approach.visit else { return nil }
        guard approach.isThere else {
            return approach.isThereAtLast && !isSilent ? lateAt : nil
        }
        let silence = max(plan.tenthAt, silentAt(visit.heardAt))
        return lateAt.map { min($0, silence) } ?? silence
    }

    /// Whether the fix shows that the person is not at the destination.
    func isElsewhere(_ fix: Fix, _ rules: Rules) -> Bool {
        guard let destination, fix.isUsable(rules) else { return false }
        return switch destination.zone(of: fix, rules) {
        case .inside, .edge: false
        case .outside, .near, .away: true
        }
    }
}

/// A journey's planned time.
struct Plan {
    let eta: Timestamp
    /// The end of the first tenth: an earlier arrival is not accepted, and a person seen at the
    /// destination until then has begun there.
    let tenthAt: Timestamp

    init(from start: Timestamp, to eta: Timestamp) {
        self.eta = eta
        tenthAt = start + (eta - start) / 10
    }
}
