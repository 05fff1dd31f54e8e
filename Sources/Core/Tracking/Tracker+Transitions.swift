extension Tracker {
    /// - Throws: the refusal of the table for one of these sessions.
    func check(_ action: Action, on indices: [Int]) throws(Refusal) {
        for index in indices {
            if case .refused(let refusal) = sessions[index].state.transition(on: action) {
                throw refusal
            }
        }
    }

    /// Performs the table's transition on these sessions; sessions that refuse it stay as they are.
    mutating func perform(
        _ action: Action, on indices: some Sequence<Int>, at now: Timestamp
    ) {
        for index in indices {
            guard case .becomes(let target) = sessions[index].state.transition(on: action) else {
                continue
            }
            enter(state(target, of: sessions[index]), index, at: now)
        }
    }

    /// Returns the target state. A group that no longer sees the user keeps the current position,
    /// if it sees that.
    private func state(_ target: Transition.Target, of session: Session) -> Session.State {
        switch target {
        case .inactive: .inactive(lastKnown: session.state == .active ? shown : latest)
        case .active: .active
        case .routing: .routing
        case .sos: .sos
        }
    }

    private mutating func enter(_ state: Session.State, _ index: Int, at now: Timestamp) {
        if state.isShared, !isShared { attendedAt = now }
        if state.isShared { store(true) }
        if !state.isShared {
            (sessions[index].sharedSince, sessions[index].until) = (nil, nil)
        } else if sessions[index].sharedSince == nil {
            sessions[index].sharedSince = now
        }
        sessions[index].state = state
        sessions[index].since = now
        sessions[index].note(.state)
    }
}
