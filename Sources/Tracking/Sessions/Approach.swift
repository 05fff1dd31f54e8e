/// How far a journey is from its end: whether the person has been away from the destination, if the
/// journey began at it or near it, and what says that they are there.
///
/// Otherwise a round trip would be over with its first fix. Leaving takes two fixes in succession,
/// since a single one may be a mistake. What speaks for an arrival is a ``Visit``. A fix whose
/// inaccuracy touches the edge of the circle counts neither way. Fixes count in the order in which
/// they were taken; one that comes after a newer one counts no more.
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
        /// Fixes that came late say that the person was there; nothing has been told yet.
        case arrived
    }

    package private(set) var phase: Phase
    /// Whether the last fix that counted said that the phase is over.
    package private(set) var isLeaving: Bool
    /// Set while nothing newer says otherwise.
    package private(set) var visit: Visit?
    /// When the newest fix that counted was taken.
    package private(set) var judgedThrough: Timestamp?

    /// For a journey whose beginning is not known yet.
    package static let unknown = Approach(phase: .unknown)

    package init(
        phase: Phase, isLeaving: Bool = false, visit: Visit? = nil, judgedThrough: Timestamp? = nil
    ) {
        self.phase = phase
        self.isLeaving = isLeaving
        self.visit = visit
        self.judgedThrough = judgedThrough
    }

    /// Determines where the journey began, if that is not known yet and the position tells it.
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

    /// Whether what is known speaks for an arrival, and nothing newer against it: silence says then
    /// that the person rests, and is no cause for alarm. Where it is not known where the journey began,
    /// the person may not have left yet.
    var isThere: Bool {
        switch phase {
        case .unknown, .departing: false
        case .near, .travelling: visit?.isEvidence ?? false
        case .arrived: true
        }
    }

    /// The same where the ETA has come and the groups would be told that the person is late.
    var isThereAtLast: Bool { isThere || phase == .unknown && visit?.isEvidence ?? false }

    /// The position of a clock that was ahead does not hold up those that are live.
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

    /// An arrival is taken at once when nothing makes it doubtful. In the first tenth of the planned
    /// time it waits, near the beginning it takes a stay, and where that is not known, until the ETA.
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
