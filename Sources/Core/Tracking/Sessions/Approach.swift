/// A journey's progress towards its end: whether the person has been away from the destination, if
/// the journey began at it or near it, and the evidence that they are there.
///
/// Otherwise a round trip would be over with its first fix. Leaving takes two fixes in succession,
/// since a single one may be a mistake. A ``Visit`` is evidence for an arrival. A fix whose
/// inaccuracy touches the edge of the circle counts neither way. Fixes count in the order of their
/// times; one received after a newer one no longer counts.
package struct Approach: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// It is not known where the journey began.
        case unknown
        /// The journey began at its destination, and the person has not left it.
        case departing
        /// The journey began near its destination, and the person has not been clearly away.
        case near
        /// An arrival counts.
        case travelling
        /// Late fixes show that the person was there; no one has been notified yet.
        case arrived
    }

    package private(set) var phase: Phase
    /// Whether the last counted fix showed that the phase is over.
    package private(set) var isLeaving: Bool
    /// The visit, while nothing newer contradicts it.
    package private(set) var visit: Visit?
    /// When the newest counted fix was taken.
    package private(set) var judgedThrough: Timestamp?

    /// The state of a journey whose beginning is not known yet.
    package static let unknown = Approach(phase: .unknown)

    package init(
        phase: Phase, isLeaving: Bool = false, visit: Visit? = nil, judgedThrough: Timestamp? = nil
    ) {
        self.phase = phase
        self.isLeaving = isLeaving
        self.visit = visit
        self.judgedThrough = judgedThrough
    }

    /// Determines where the journey began, if that is not known yet and the position shows it.
    mutating func begin(at sighting: Sighting) {
        guard phase == .unknown else { return }
        switch sighting.zone {
        case .inside, .edge: phase = .departing
        case .outside, .near: phase = .near
        case .away: phase = .travelling
        }
    }

    /// - Returns: whether the person has arrived.
    mutating func judge(_ sighting: Sighting, _ plan: Plan, _ rules: Rules) -> Bool {
        guard !isKnown(sighting, rules) else { return false }
        judgedThrough = sighting.takenAt
        guard phase != .arrived else { return sighting.isLive }
        if sighting.takenAt < plan.tenthAt || !sighting.zone.mayBeInside { begin(at: sighting) }
        leave(sighting.zone)
        note(sighting, rules)
        guard isArrival(at: sighting.takenAt, plan, rules) else { return false }
        if !sighting.isLive { phase = .arrived }
        return sighting.isLive
    }

    /// Whether there is evidence for an arrival, and nothing newer against it: silence then means
    /// that the person is at rest, and is not alarming. If the journey's beginning is unknown, the
    /// person may not have left yet.
    var isThere: Bool {
        switch phase {
        case .unknown, .departing: false
        case .near, .travelling: visit?.isEvidence ?? false
        case .arrived: true
        }
    }

    /// The same at the ETA, when the groups would be notified that the person is late.
    var isThereAtLast: Bool { isThere || phase == .unknown && visit?.isEvidence ?? false }

    /// Whether a newer sighting was already counted. A position from a clock that was ahead does
    /// not block live ones.
    private func isKnown(_ sighting: Sighting, _ rules: Rules) -> Bool {
        guard let judgedThrough else { return false }
        if judgedThrough > sighting.heardAt + rules.futureTolerance, sighting.isLive {
            return false
        }
        return sighting.takenAt <= judgedThrough
    }

    private mutating func leave(_ zone: Destination.Zone) {
        switch (phase, zone) {
        case (.departing, .near), (.departing, .away), (.near, .away):
            if isLeaving { phase = zone == .away ? .travelling : .near }
            isLeaving.toggle()
        case (.departing, .inside), (.near, .inside), (.near, .outside), (.near, .near):
            isLeaving = false
        default: break
        }
    }

    private mutating func note(_ sighting: Sighting, _ rules: Rules) {
        switch sighting.zone {
        case .inside where phase != .departing: visit = Visit(at: sighting, after: visit, rules)
        case .inside, .edge: break
        case .outside, .near, .away: visit = nil
        }
    }

    /// Whether a confirmed visit is an arrival, which it is immediately unless it is doubtful. In
    /// the first tenth of the planned time it waits; near the beginning it takes a stay, and if
    /// that is unknown, until the ETA.
    private func isArrival(at time: Timestamp, _ plan: Plan, _ rules: Rules) -> Bool {
        guard let visit, visit.isConfirmed, time >= plan.tenthAt else { return false }
        switch phase {
        case .departing: return false
        case .unknown: return time > plan.eta
        case .near: return time >= visit.since + rules.stuckAfter
        case .travelling, .arrived: return true
        }
    }
}
