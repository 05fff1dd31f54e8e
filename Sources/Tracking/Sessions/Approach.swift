/// How far a journey is from its end: whether the person has left where it goes, if it began
/// there, and whether they have come back or arrived.
///
/// A round trip would otherwise be over with its first fix. It takes two fixes in succession to
/// have left and two to have arrived, since one alone may be a mistake. What touches the circle's
/// edge with its own inaccuracy counts neither way.
package struct Approach: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// Nobody knows yet where the journey began.
        case unknown
        /// It began where it goes.
        case departing
        /// An arrival counts.
        case travelling
    }

    package private(set) var phase: Phase
    /// Whether the last fix that counted said that the phase is over.
    package private(set) var isConfirming: Bool

    /// Of a journey whose beginning nobody knows yet.
    static let unknown = Approach(phase: .unknown)
    /// Of a journey from before anything was kept of it.
    package static let travelling = Approach(phase: .travelling)

    package init(phase: Phase, isConfirming: Bool = false) {
        self.phase = phase
        self.isConfirming = isConfirming
    }

    /// Where the journey began, if nobody knows that yet and the fix says it.
    mutating func begin(at fix: Fix, _ destination: Destination, _ rules: Rules) {
        guard phase == .unknown, fix.isUsable(rules) else { return }
        switch destination.place(of: fix, rules) {
        case .inside, .edge: phase = .departing
        case .outside, .away: phase = .travelling
        }
    }

    /// - Parameter isLive: what is not may say that the person has left, and nothing of arrivals.
    /// - Returns: whether the person has arrived.
    mutating func judge(
        _ fix: Fix, _ destination: Destination, isLive: Bool, _ rules: Rules
    ) -> Bool {
        guard fix.isUsable(rules) else { return false }
        let place = destination.place(of: fix, rules)
        switch phase {
        case .unknown:
            begin(at: fix, destination, rules)
            return false
        case .departing:
            if confirm(place == .away, against: place == .inside) { phase = .travelling }
            return false
        case .travelling:
            return confirm(
                place == .inside && isLive, against: place == .outside || place == .away)
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
    /// Where a fix lies, seen from here.
    enum Place {
        case inside
        /// Outside, perhaps by no more than its inaccuracy.
        case edge
        /// Outside for certain.
        case outside
        /// So far outside that whoever was here has left.
        case away
    }

    func place(of fix: Fix, _ rules: Rules) -> Place {
        let radius = radius ?? rules.arrivalRadius
        let distance = coordinate.distance(to: fix.coordinate)
        if distance <= radius { return .inside }
        let certain = distance - (fix.accuracy ?? 0)
        if certain <= radius { return .edge }
        return certain <= radius + rules.departureMargin ? .outside : .away
    }
}
