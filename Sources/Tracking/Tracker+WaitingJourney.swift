/// The journey under an SOS.
extension Tracker {
    /// The journey goes on with a path of its own, as that of the SOS is seen by other groups too.
    mutating func goOn(_ waiting: WaitingJourney, at now: Timestamp, _ effects: inout [Effect]) {
        let indices = waiting.groups.compactMap { index(of: $0) }
        let seers = indices.filter { sessions[$0].precision == .exact }
        let path = newPath(.journey, with: seers.map { sessions[$0].group }, at: now)
        undertaking = .journey(
            waiting.journey, Following(path: path, watch: Watch(fixAwaitedSince: now)))
        perform(.startJourney, on: indices, at: now)
        effects.append(.pathBegan(path))
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
        undertaking.changeEmergency { emergency in
            emergency.waiting?.groups.removeAll { $0 == group }
            if emergency.waiting?.groups.isEmpty == true { emergency.waiting = nil }
        }
    }
}
