extension Tracker {
    /// Any message of a device other than a fix: a sign of life.
    public mutating func hear(_ device: DeviceID, at now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        comeBack(presence.hear(device, at: now), at: now, &effects)
        return settle(effects)
    }

    /// A position was refused for its time. The groups see it where no other has come for a while.
    public mutating func notePositionRefused(at now: Timestamp, _ rules: Rules) -> [Effect] {
        guard positionsRefusedSince == nil,
            latest.map({ now >= $0.receivedAt + rules.offlineAfter }) ?? true
        else { return [] }
        positionsRefusedSince = now
        noteStateOfAll()
        return settle([])
    }

    public mutating func connect(_ device: DeviceID, at now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        comeBack(presence.connect(device, at: now), at: now, &effects)
        return settle(effects)
    }

    /// The device disconnected or its connection broke. Nobody is told yet.
    public mutating func disconnect(_ device: DeviceID, at now: Timestamp) -> [Effect] {
        presence.disconnect(device, at: now)
        return []
    }

    public mutating func forget(_ device: DeviceID) {
        presence.forget(device)
        whereabouts.forget(device)
    }

    /// The device is no longer used. It keeps the person online no longer than any other device
    /// that disconnected, and does not take them offline at once.
    public mutating func retire(_ device: DeviceID, at now: Timestamp) {
        presence.retire(device, at: now)
        whereabouts.forget(device)
    }

    public func isConnected(_ device: DeviceID) -> Bool { presence.isConnected(device) }

    /// Ends a silence: everybody sees it, and the groups that were told of the silence are told of
    /// its end.
    mutating func comeBack(
        _ change: Presence.Change, at now: Timestamp, _ effects: inout [Effect]
    ) {
        if change != .nothing { noteStateOfAll() }
        guard change == .cameOnline else { return }
        effects.append(.presenceChanged(isOnline: true))
        // The time without a connection does not count as silence: a fix is awaited from now on.
        undertaking.follow { $0.watch.fixAwaitedSince = now }
        guard watch?.toldOffline == true else { return }
        undertaking.follow { $0.watch.toldOffline = false }
        // If the groups were told that the person is silent, the next fix tells them of the end, so
        // that they are not told twice.
        guard watch?.toldSilent == false else { return }
        for alert in alert(.online, at: now) { effects.append(.alert(alert, repetition: 0)) }
    }

    mutating func hearFreshFix(at now: Timestamp, _ effects: inout [Effect]) {
        let wasSilent = undertaking.follow { following in
            defer { following.watch.toldSilent = false }
            following.watch.fixAwaitedSince = now
            return following.watch.toldSilent
        }
        guard wasSilent == true else { return }
        noteStateOfWatched()
        for alert in alert(.online, at: now) { effects.append(.alert(alert, repetition: 0)) }
    }
}
