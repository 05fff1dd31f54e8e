/// The journey under an SOS.
extension Tracker {
    /// The journey goes on with a path of its own, as that of the SOS is seen by other groups too.
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

    /// The SOS is over for all groups. What only the groups that follow the journey were told
    /// meanwhile, those for which it waited learn now.
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

    /// Those that follow the journey alone no longer see the path of the SOS, which was that of the
    /// journey.
    mutating func hidePathFromFollowers(_ effects: inout [Effect]) {
        for session in sessions where session.state == .routing {
            hidePath(from: session.group, &effects)
        }
    }

    /// The person has arrived for those that followed the journey during the SOS; for the others it
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

    /// The journey ends while the SOS goes on.
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

    /// The group no longer follows the journey, which ends with the last one that did.
    mutating func withdrawWaitingJourney(from group: GroupID) {
        undertaking.changeWaiting { $0.groups.removeAll { $0 == group } }
        forgetUnfollowedJourney()
    }
}
