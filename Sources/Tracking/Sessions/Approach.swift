/// How far a journey is from its end: whether the person has left the destination, if the journey
/// began there, and whether they have come back or arrived.
///
/// Otherwise a round trip would be over with its first fix. Leaving and arriving take two fixes in
/// succession each, since a single one may be a mistake. A fix whose inaccuracy touches the edge of
/// the circle counts neither way.
package struct Approach: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// It is not known yet where the journey began.
        case unknown
        /// The journey began at its destination.
        case departing
        /// An arrival counts.
        case travelling
    }

    package private(set) var phase: Phase
    /// Whether the last fix that counted said that the phase is over.
    package private(set) var isConfirming: Bool

    /// For a journey whose beginning is not known yet.
    static let unknown = Approach(phase: .unknown)
    /// For a journey stored before the approach was recorded.
    package static let travelling = Approach(phase: .travelling)

    package init(phase: Phase, isConfirming: Bool = false) {
        self.phase = phase
        self.isConfirming = isConfirming
    }

    /// Determines where the journey began, if that is not known yet and the fix tells it.
    mutating func begin(at fix: Fix, _ destination: Destination, _ rules: Rules) {
        guard phase == .unknown, fix.isUsable(rules) else { return }
        switch destination.zone(of: fix, rules) {
        case .inside, .edge: phase = .departing
        case .outside, .away: phase = .travelling
        }
    }

    /// - Parameter isLive: whether the fix is live; others may say that the person has left, but
    ///   not that they have arrived.
    /// - Returns: whether the person has arrived.
    mutating func judge(
        _ fix: Fix, _ destination: Destination, isLive: Bool, _ rules: Rules
    ) -> Bool {
        guard fix.isUsable(rules) else { return false }
        let zone = destination.zone(of: fix, rules)
        switch phase {
        case .unknown:
            begin(at: fix, destination, rules)
            return false
        case .departing:
            if confirm(zone == .away, against: zone == .inside) { phase = .travelling }
            return false
        case .travelling:
            return confirm(
                zone == .inside && isLive, against: zone == .outside || zone == .away)
        }
    }

    /// - Returns: whether this is the second time in succession.
    private mutating func confirm(_ isSo: Bool, against isNot: Bool) -> Bool {
        guard isSo else {
            if isNot { isConfirming = false }
            return false
        }
        defer { isConfirming.toggle() }
        return isConfirming
    }
}

extension Destination {
    /// Where a fix lies relative to the destination.
    enum Zone {
        case inside
        /// Outside, but perhaps only because of its inaccuracy.
        case edge
        /// Certainly outside.
        case outside
        /// So far outside that a person who was here has left.
        case away
    }

    func zone(of fix: Fix, _ rules: Rules) -> Zone {
        let radius = radius ?? rules.arrivalRadius
        let distance = coordinate.distance(to: fix.coordinate)
        if distance <= radius { return .inside }
        let certain = distance - (fix.accuracy ?? 0)
        if certain <= radius { return .edge }
        return certain <= radius + rules.departureMargin ? .outside : .away
    }
}
