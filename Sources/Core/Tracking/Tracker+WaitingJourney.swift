/// The journey during an SOS.
extension Tracker {
    /// Continues the journey with its own path, as other groups also see the SOS path.
    private mutating func goOn(
        _ waiting: WaitingJourney, _ watch: Watch, at now: Timestamp, _ effects: inout [Effect]
    ) {
        let wasFollowed = isFollowed
        perform(.startJourney, on: waiting.groups.compactMap { index(of: $0) }, at: now)
        let seers = sessions.filter { $0.state == .routing && $0.precision == .exact }
        let path = newPath(.journey, with: seers.map(\.group), at: now)
        undertaking = .journey(waiting.journey, Following(path: path, watch: watch))
        if !wasFollowed { undertaking.follow { $0.watch.fixAwaitedSince = now } }
        effects.append(.pathBegan(path))
    }

    /// Ends the SOS for all groups. If the journey became late in the meantime, the groups for
    /// which it waited are notified now.
    mutating func endEmergency(at now: Timestamp, _ effects: inout [Effect]) {
        guard case .emergency(let emergency, let following) = undertaking else { return }
        hidePathFromFollowers(&effects)
        effects.append(.pathEnded(number: following.path.number, withdrawn: false))
        undertaking = .nothing
        guard let waiting = emergency.waiting else { return }
        goOn(waiting, following.watch, at: now, &effects)
        guard waiting.journey.isLate, waiting.journey.eta >= emergency.startedAt else { return }
        for group in waiting.groups {
            effects.append(.alert(alert(.late, to: group, at: now), repetition: 0))
        }
    }

    /// Hides the SOS path, formerly the journey's, from groups that follow only the journey.
    mutating func hidePathFromFollowers(_ effects: inout [Effect]) {
        for session in sessions where session.state == .routing {
            hidePath(from: session.group, &effects)
        }
    }

    /// Records the arrival for groups that followed the journey during the SOS; for the others it
    /// waits.
    mutating func reachWaitingJourney() {
        undertaking.changeWaiting { $0.isReached = true }
        forgetUnfollowedJourney()
    }

    private mutating func forgetUnfollowedJourney() {
        guard !isFollowed else { return }
        undertaking.changeEmergency {
            if $0.waiting?.groups.isEmpty == true { $0.waiting = nil }
        }
    }

    /// Ends the waiting journey during the SOS.
    mutating func dropWaitingJourney(
        _ kind: Alert.Kind, at now: Timestamp, _ effects: inout [Effect]
    ) {
        for group in emergency?.waiting?.groups ?? [] {
            effects.append(.alert(alert(kind, to: group, at: now), repetition: 0))
        }
        undertaking.changeEmergency { $0.waiting = nil }
        noteStateOfWatched()
    }

    mutating func judgeWaitingJourney(
        by fix: Fix, after last: Fix?, isLive: Bool, _ rules: Rules
    ) {
        undertaking.changeWaiting { waiting in
            if waiting.journey.isReached(by: fix, after: last, isLive: isLive, rules) {
                waiting.isReached = true
            } else if waiting.journey.isElsewhere(fix, rules) {
                waiting.isReached = false
            }
        }
    }

    /// Ends a group's following of the journey, which ends with the last one.
    mutating func withdrawWaitingJourney(from group: GroupID) {
        undertaking.changeWaiting { $0.groups.removeAll { $0 == group } }
        forgetUnfollowedJourney()
    }
}
