/// Evidence that a person is at the destination, until something newer contradicts it.
package struct Visit: Hashable, Sendable {
    /// When the first of the positions inside was taken.
    package let since: Timestamp
    /// When the newest of them arrived.
    package let heardAt: Timestamp
    /// Whether one of them is good enough to stand alone.
    package let isGood: Bool
    /// Whether there are two of them, or one at rest.
    package let isConfirmed: Bool

    package init(since: Timestamp, heardAt: Timestamp, isGood: Bool, isConfirmed: Bool) {
        self.since = since
        self.heardAt = heardAt
        self.isGood = isGood
        self.isConfirmed = isConfirmed
    }

    init(at sighting: Sighting, after earlier: Visit?, _ rules: Rules) {
        since = earlier?.since ?? sighting.takenAt
        heardAt = sighting.heardAt
        isGood = sighting.isGood || earlier?.isGood ?? false
        isConfirmed = earlier != nil || sighting.isGood && sighting.isAtRest
    }

    /// Whether it proves the arrival without further messages.
    var isEvidence: Bool { isGood || isConfirmed }
}

/// A person's position relative to a destination, from a fix or an app that monitors the place.
struct Sighting {
    let zone: Destination.Zone
    let takenAt: Timestamp
    let heardAt: Timestamp
    /// Whether it is live; others have no immediate effect.
    let isLive: Bool
    /// Whether it is exact enough for the circle, and not in passing.
    let isGood: Bool
    let isAtRest: Bool

    /// Nil for a fix that is too inaccurate.
    init?(_ fix: Fix, _ destination: Destination, isLive: Bool, _ rules: Rules) {
        guard fix.isUsable(rules) else { return nil }
        zone = destination.zone(of: fix, rules)
        (takenAt, heardAt) = (fix.takenAt, fix.receivedAt)
        self.isLive = isLive
        let isExact = (fix.accuracy ?? 0) <= destination.radius(rules) + rules.visitTolerance
        isGood = isExact && (fix.speed ?? 0) <= rules.passingSpeed
        isAtRest = fix.speed.map { $0 <= rules.restingSpeed } ?? false
    }

    /// Nil if the crossing does not concern the destination: the app monitors another place, or a
    /// circle of another size.
    init?(
        _ crossing: Crossing, _ destination: Destination, heardAt now: Timestamp, _ rules: Rules
    ) {
        let (fence, radius) = (crossing.fence, destination.radius(rules))
        guard fence.centre.distance(to: destination.coordinate) <= radius else { return nil }
        switch crossing.side {
        case .inside where fence.radius <= radius + rules.fenceTolerance: zone = .inside
        case .outside where fence.radius >= radius: zone = .near
        case .inside, .outside: return nil
        }
        (takenAt, heardAt) = (min(crossing.at, now), now)
        isLive = now <= crossing.at + rules.backfillAge
        (isGood, isAtRest) = (true, false)
    }
}

/// A report of an app that monitors a circle itself.
public struct Crossing: Hashable, Sendable {
    public let fence: Geofence
    /// The person's current side.
    public let side: Geofence.Side
    /// The time by the device's clock.
    public let at: Timestamp

    public init(_ fence: Geofence, to side: Geofence.Side, at: Timestamp) {
        (self.fence, self.side, self.at) = (fence, side, at)
    }
}

extension Destination {
    /// A fix's zone relative to the destination.
    enum Zone {
        case inside
        /// Outside, but perhaps only because of its inaccuracy.
        case edge
        /// Certainly outside.
        case outside
        /// So far outside that a person who was inside has left.
        case near
        /// So far that an arrival counts, wherever the journey began.
        case away

        var mayBeInside: Bool {
            switch self {
            case .inside, .edge: true
            case .outside, .near, .away: false
            }
        }
    }

    func zone(of fix: Fix, _ rules: Rules) -> Zone {
        let radius = radius(rules)
        let distance = coordinate.distance(to: fix.coordinate)
        if distance <= radius { return .inside }
        let outside = distance - (fix.accuracy ?? 0) - radius
        if outside <= 0 { return .edge }
        if outside <= rules.departureMargin { return .outside }
        return outside <= rules.awayMargin ? .near : .away
    }

    func radius(_ rules: Rules) -> Double { radius ?? rules.arrivalRadius }
}
