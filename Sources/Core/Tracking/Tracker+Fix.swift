extension Tracker {
    /// Receives a position that was not known before.
    ///
    /// Fixes are ordered by the time they were taken: the newest one of the carried device moves
    /// the person, an older one only extends the path. One that arrives long after it was taken
    /// raises no live alert.
    public mutating func receive(
        _ fix: Fix, from device: DeviceID, at now: Timestamp, _ rules: Rules
    ) -> [Effect] {
        var effects: [Effect] = []
        let cameOnline = presence.hear(device, at: now)
        let isNewest = isNewest(fix, from: device, at: now, rules)
        let isPunctual = now <= fix.takenAt + rules.backfillAge
        let isLive = isNewest && isPunctual
        let last = latest
        let meaning = whereabouts.take(
            fix, from: device,
            Whereabouts.Scene(
                latest: last, isNewest: isNewest, isPunctual: isPunctual,
                isNewcomer: !presence.hasReported(device),
                isFollowed: undertaking.following != nil), rules)
        let movesPerson = isNewest && meaning == .position
        if movesPerson {
            move(to: fix)
            if positionsRefusedSince != nil {
                positionsRefusedSince = nil
                noteStateOfAll()
            }
        }
        comeBack(cameOnline, at: now, &effects)
        if isLive, meaning != .waits { presence.noteReport(device, at: now) }
        if isLive, meaning == .position || meaning == .lifeSign { hearFreshFix(at: now, &effects) }
        // Coarse fixes are added only to a path without points.
        if meaning == .position, fix.isUsable(rules) || path?.count == 0 {
            extendPath(by: fix, isLive: isLive, rules, &effects)
        }
        if movesPerson {
            locateCalls(by: fix, at: now, rules, &effects)
        }
        if meaning == .position {
            if journey != nil {
                judgeJourney(by: fix, after: last, isLive: isLive, at: now, rules, &effects)
            } else {
                judgeWaitingJourney(by: fix, after: last, isLive: isLive, rules)
            }
        }
        return settle(effects)
    }

    mutating func move(to fix: Fix) {
        latest = fix
        if let end = pauseEndedAt, fix.takenAt > end { pauseEndedAt = nil }
        for index in sessions.indices where sessions[index].state.isShared {
            sessions[index].note(.position)
        }
    }

    /// Whether nothing newer is known of the person or, for a device that is not carried, of the
    /// device. A position left in the future by a clock that was set back does not block live ones.
    private func isNewest(
        _ fix: Fix, from device: DeviceID, at now: Timestamp, _ rules: Rules
    ) -> Bool {
        let known = whereabouts.isCarried(device) ? latest : whereabouts.last(of: device)
        guard let time = known?.takenAt ?? forgottenThrough else { return true }
        if known != nil, time > now + rules.futureTolerance {
            return now <= fix.takenAt + rules.backfillAge
        }
        return fix.takenAt > time
    }

    /// Adds the fix to the path. One that was taken before the path began does not belong to it; a
    /// live one always does, regardless of the device's clock.
    mutating func extendPath(
        by fix: Fix, isLive: Bool, _ rules: Rules, _ effects: inout [Effect]
    ) {
        let growth = undertaking.follow { following in
            isLive || fix.takenAt >= following.path.startedAt
                ? following.path.add(fix, atMost: rules.maximumPathPoints) : nil
        }
        guard let path, let growth = growth ?? nil else { return }
        switch growth {
        case .appended:
            effects.append(.pathGrew(number: path.number))
        case .completed:
            effects.append(.pathGrew(number: path.number))
            effects.append(
                .segmentCompleted(
                    number: path.number, segment: path.lastSegment, points: path.tail))
        case .inserted:
            effects.append(.pathGrew(number: path.number))
            effects.append(.pathChanged(number: path.number, from: fix.takenAt))
        case .full:
            break
        }
    }

    private mutating func judgeJourney(
        by fix: Fix, after last: Fix?, isLive: Bool, at now: Timestamp, _ rules: Rules,
        _ effects: inout [Effect]
    ) {
        let judged = changeJourney {
            journey -> (verdict: Stillness.Verdict, isReached: Bool) in
            let isReached = journey.isReached(by: fix, after: last, isLive: isLive, rules)
            let verdict = isLive ? journey.judgeStillness(fix, by: rules) : .unchanged
            return (verdict, isReached)
        }
        guard let judged else { return }
        guard !judged.isReached else {
            return endJourney(.journeyArrived, at: now, &effects)
        }
        let kind: Alert.Kind
        switch judged.verdict {
        case .unchanged: return
        case .stuck: kind = .stuck
        case .moving: kind = .moving
        }
        noteStateOfWatched()
        for alert in alert(kind, at: now) { effects.append(.alert(alert, repetition: 0)) }
    }
}

extension Tracker {
    /// Sets the path's stored values after points were inserted.
    public mutating func replacePath(count: Int, tail: [Path.Point]) {
        undertaking.follow { $0.path.replace(count: count, tail: tail) }
    }
}
