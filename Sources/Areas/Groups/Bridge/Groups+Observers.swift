import Contract
import Store
import Tracking

/// Observers are programs that see what a group sees: they have no account, and can only watch. A
/// member gives one its token, and all members are notified; it ends when any member ends it, or
/// its creator leaves.
extension Groups {
    /// Creates an observer, and replies itself: the token is sent once, and not stored.
    func createObserver(
        of key: GroupKey, _ name: DisplayName, by person: Person, _ asker: Requester
    ) throws {
        let group = try group(key, of: person)
        guard group.observers.count < Groups.maximumObservers else {
            let limit = Groups.maximumObservers
            throw Problem(.tooMany, "A group may have at most \(limit) observers. End some.")
        }
        try checkObserversOfDay(of: person)
        let row = ObserverRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), group: group.id,
            user: person.id, name: name.text, at: now)
        let observer = Observer(id: row.id, name: row.name, by: person.name, since: now)
        var message = group.message
        message.observers.append(observer)
        guard Group.hasRoom(for: message) else {
            throw Problem(.tooMany, "It would no longer fit into the group's message.")
        }
        let token = PrincipalToken(.bearer(Grant(.observer, row.id)), using: &random)
        try transaction.insert(row, tokenHash: token.hash)
        // Sorted by id, as after a start: the clock may have been set back.
        let place = group.observers.firstIndex { $0.id > row.id }
        group.observers.insert(row, at: place ?? group.observers.endIndex)
        publishGroup(group)
        try areas.notices.add(
            news(of: row, in: group), forAll: look(through: group.members), by: person,
            payer: person)
        try turn.reply(
            to: asker, secretly: result(observer, group, token),
            without: result(observer, group))
        noteUsage(.changes, of: person)
        count("observers-made")
    }

    /// Checks the daily limit: each one notifies the whole group, which must not be abused.
    private func checkObserversOfDay(of person: Person) throws {
        let made = try transaction.countObserversMade(by: person.id, since: now - .seconds(86_400))
        guard made < Groups.maximumObserversADay else {
            let limit = Groups.maximumObserversADay
            throw Problem(.tooMany, "A user may create at most \(limit) observers within a day.")
        }
    }

    // MARK: Ending

    /// - Parameter person: nil for the operator.
    func endObserver(_ id: UUIDv7, of group: Group, by person: Person?) throws -> [UInt8] {
        guard let row = group.observers.first(where: { $0.id == id }) else {
            throw Problem(.unknownObserver, "The group has no such observer.")
        }
        try end([id], of: group)
        // The notice does not name the person, so that no one has to fear ending it.
        if let giver = memory.people[row.user], giver !== person {
            try areas.notices.add(
                .observerEnded(group.key, name: group.name, id, label: row.name), for: giver)
        }
        publishGroup(group)
        return Array("{}".utf8)
    }

    /// Ends an observer of any group, for the operator.
    func endObserver(_ id: UUIDv7) throws -> [UInt8] {
        let found = memory.groups.values.first { $0.observers.contains { $0.id == id } }
        guard let group = found else {
            throw Problem(.unknownObserver, "There is no observer with that id.")
        }
        return try endObserver(id, of: group, by: nil)
    }

    /// Ends the observers created by a member who is leaving.
    func endObservers(of member: Person, in group: Group) throws {
        try end(group.observers.filter { $0.user == member.id }.map(\.id), of: group)
    }

    /// Ends all observers created by the person: another person may have used the account, or its
    /// owner can no longer use it.
    ///
    /// - Returns: the number ended.
    func endObservers(of person: Person) throws -> Int {
        var count = 0
        for group in person.memberships.map(\.group) {
            let before = group.observers.count
            try endObservers(of: person, in: group)
            guard group.observers.count < before else { continue }
            count += before - group.observers.count
            publishGroup(group)
        }
        return count
    }

    private func end(_ ids: [UUIDv7], of group: Group) throws {
        for id in ids {
            try transaction.deleteObserver(id)
            count("observers-ended")
        }
        group.observers.removeAll { ids.contains($0.id) }
    }

    // MARK: Notices

    /// Notifies a new member of the group's observers, so that no one is watched unawares.
    func tellOfObservers(_ person: Person, in group: Group) throws {
        for row in group.observers {
            try areas.notices.add(
                news(of: row, in: group), for: person, by: memory.people[row.user])
        }
    }

    private func news(of row: ObserverRow, in group: Group) -> Notice.News {
        .observerAdded(group.key, name: group.name, row.id, label: row.name)
    }

    private func result(_ observer: Observer, _ group: Group, _ token: PrincipalToken? = nil)
        -> [UInt8]
    {
        GroupResult.observer.bytes(of: (observer.id, topics.string(.group(group.key)), token))
    }

    /// The maximum number of observers of a group.
    static let maximumObservers = 5
    /// The maximum number of observers that a person can create per day, in all groups.
    static let maximumObserversADay = 20
}

extension Group {
    /// The observers as members see them.
    var shownObservers: [Observer] {
        guard !observers.isEmpty else { return [] }
        let users = Set(observers.map(\.user))
        let givers = Dictionary(
            members.filter { users.contains($0.id) }.map { ($0.id, $0.name) }
        ) { first, _ in first }
        return observers.compactMap { row in
            givers[row.user].map {
                Observer(id: row.id, name: row.name, by: $0, since: row.at)
            }
        }
    }
}
