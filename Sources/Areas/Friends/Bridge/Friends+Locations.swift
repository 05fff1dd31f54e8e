import Contract
import MQTT
import Store
import Tracking

extension Friends {
    // MARK: Sharing with friends

    /// Shares the person's position with friends, recorded individually: a friend who is added
    /// later sees nothing until the position is shared with them.
    ///
    /// - Parameter fix: the person's position as they entered it; a fix like any other.
    func shareLocation(
        with selection: FriendCommand.Selection, _ fix: Fix?, _ person: Person, _ device: Device
    ) throws -> [UInt8] {
        let chosen = try friends(selection, of: person)
        let new = chosen.filter { $0.row.sharedSince == nil }
        try checkRoom(for: person, at: new.map(\.friend))
        try turn.apply(person.tracker.resume(at: now), to: person)
        let storedNothing = person.tracker.storesNothing
        person.tracker.store(true)
        if let fix {
            do {
                try take(confirmed: fix, from: person, device)
            } catch {
                person.tracker.store(!storedNothing)
                throw error
            }
        }
        try transaction.share(person.id, with: new.map(\.friend.id), since: now)
        try areas.notices.add(
            .locationShared, forAll: new.map(\.friend), about: person, payer: person)
        try noteWhoSees(person)
        return try sharingResult(of: person)
    }

    /// Stops sharing. No one is notified: the friends see that the position is no longer there.
    func unshareLocation(with selection: FriendCommand.Selection, _ person: Person)
        throws -> [UInt8]
    {
        let old = try friends(selection, of: person).filter { $0.row.sharedSince != nil }
        try transaction.share(person.id, with: old.map(\.friend.id), since: nil)
        try noteWhoSees(person)
        return try sharingResult(of: person)
    }

    private func friends(_ selection: FriendCommand.Selection, of person: Person)
        throws -> [(row: FriendRow, friend: Person)]
    {
        let rows = try transaction.friends(of: person.id, atMost: BridgeSettings.maximumFriends)
        var found: [Name: (row: FriendRow, friend: Person)] = [:]
        for row in rows {
            if let friend = memory.people[row.friend] { found[friend.name] = (row, friend) }
        }
        switch selection {
        case .all:
            guard !found.isEmpty else {
                throw Problem(.notAFriend, "Your list of friends is empty.")
            }
            return found.values.sorted { $0.friend.name < $1.friend.name }
        case .some(let names):
            let missing = names.filter { found[$0] == nil }
            guard missing.isEmpty else {
                throw Problem(
                    .notAFriend, "Some of them are not on your list of friends.",
                    errors: missing.prefix(Friends.maximumErrors).map {
                        .init(field: "with", reason: "\($0) is not on your list of friends")
                    })
            }
            return names.compactMap { found[$0] }
        }
    }

    private static let maximumErrors = 64

    /// Throws if too many people share with one of the friends already. A friend who has blocked the
    /// person sees nothing of it, and so always has room.
    private func checkRoom(for person: Person, at friends: [Person]) throws {
        let full = try transaction.friendsWithoutRoom(
            of: person.id, sharers: BridgeSettings.maximumSharers)
        guard let friend = friends.first(where: { full.contains($0.id) }) else { return }
        throw Problem(
            .tooMany, "Too many people already share their position with one of these friends.",
            errors: [
                .init(
                    field: "with",
                    reason: "\(friend.name) already sees the positions of too many people")
            ])
    }

    /// Ingests a confirmed position. Without a time of its own, it counts as newer than all known
    /// ones, even if the phone's clock is ahead.
    private func take(confirmed fix: Fix, from person: Person, _ device: Device) throws {
        var fix = fix
        if fix.takenAt == now, let latest = person.tracker.latest?.takenAt, latest >= now,
            latest < now + settings.limits.futureTolerance
        {
            fix.takenAt = latest + .milliseconds(1)
        }
        if case .overQuota = try turn.take(fix, from: person, device) {
            throw turn.problem(ofUsedUp: .fixes)
        }
    }

    /// Counts the friends who may see the person's position; to be called after that may have
    /// changed.
    func noteWhoSees(_ person: Person) throws {
        let count = try transaction.countShares(of: person.id)
        let wasSeen = person.tracker.friendsSince != nil
        if count > 0 {
            person.tracker.startSharingWithFriends(at: now)
        } else {
            person.tracker.stopSharingWithFriends()
        }
        note([.save, .schedule], person)
        if wasSeen || count > 0 { note(.urgentLocation, person) }
    }

    private func sharingResult(of person: Person) throws -> [UInt8] {
        let rows = try transaction.friends(of: person.id, atMost: BridgeSettings.maximumFriends)
        let names = rows.compactMap { $0.sharedSince == nil ? nil : memory.people[$0.friend]?.name }
        return FriendResult.shared.bytes(of: (names, person.tracker.latest))
    }

    // MARK: Turning it off

    /// Turns the person's location off: their current and last positions are no longer visible, and
    /// the service forgets them. Positions reported by a journey or an SOS are kept, since people
    /// rely on them.
    ///
    /// - Parameter isStoring: whether later fixes are stored; nil to leave that unchanged.
    func turnLocationOff(_ person: Person, isStoring: Bool?) throws -> [UInt8] {
        let last = person.tracker.latest
        let groups = person.memberships.map(\.group).filter {
            person.tracker.session(in: $0.id)?.state.isShared == true
        }
        let effects = try person.tracker.turnOff(at: now)
        try turn.apply(effects, to: person)
        note(.urgentLocation, person)
        turn.noteDeletion()
        if let last { try forget(last, of: person) }
        try areas.geofences.endConsents(of: person)
        let shared = try transaction.friends(of: person.id, atMost: BridgeSettings.maximumFriends)
            .filter { $0.sharedSince != nil }
        try transaction.share(person.id, with: shared.map(\.friend), since: nil)
        let links = try areas.shareLinks.endAll(of: person)
        let services = try areas.services.removeWatching(person)
        let runs = try areas.runs.leaveAll(person)
        if let isStoring { person.tracker.store(isStoring) }
        try noteWhoSees(person)
        var kept = 0
        for device in person.devices { kept += try transaction.countFixes(of: device.log) }
        return FriendResult.turnedOff.bytes(
            of: (
                !person.tracker.storesNothing, kept,
                (last == nil ? 0 : 1, shared.count, links, services, runs, groups.map(\.key))
            ))
    }

    /// Removes the coordinates from the person's own history as well; the time stays, so that the
    /// same fix is not considered new when it is received again.
    private func forget(_ fix: Fix, of person: Person) throws {
        for device in person.devices where device.log.novelty(of: fix.takenAt) != .new {
            try transaction.forgetFix(fix.takenAt, device.log)
        }
    }

    // MARK: Publishing

    /// Publishes the position for friends, if it changed; an empty message if no friend may see
    /// anything.
    func publishLocation(of person: Person) {
        let isUrgent = person.pending.contains(.urgentLocation)
        guard isUrgent || person.pending.contains(.location) else { return }
        let payload = person.locationForFriends ?? []
        retain(
            .location(person.name), payload,
            qos: isUrgent || payload.isEmpty ? .atLeastOnce : .atMostOnce)
    }
}
