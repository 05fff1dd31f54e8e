extension Tracker {
    /// Records any message of a device other than a fix: a sign of life.
    public mutating func hear(_ device: DeviceID, at now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        comeBack(presence.hear(device, at: now), at: now, &effects)
        return settle(effects)
    }

    /// Records that a position was refused for its time. The groups see it if no other has been
    /// received for a while.
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

    /// Records that the device disconnected or its connection broke. No one is notified yet.
    public mutating func disconnect(_ device: DeviceID, at now: Timestamp) -> [Effect] {
        presence.disconnect(device, at: now)
        return []
    }

    public mutating func forget(_ device: DeviceID) {
        presence.forget(device)
        whereabouts.forget(device)
    }

    /// Records that the device is no longer used. It keeps the person online no longer than any
    /// other disconnected device, and does not take them offline immediately.
    public mutating func retire(_ device: DeviceID, at now: Timestamp) {
        presence.retire(device, at: now)
        whereabouts.forget(device)
    }

    public func isConnected(_ device: DeviceID) -> Bool { presence.isConnected(device) }

    /// Ends a silence: everyone sees it, and the groups that were notified of the silence are
    /// notified of its end.
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
        // If the groups were notified that the person is silent, the next fix reports the end, so
        // that they are not notified twice.
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
