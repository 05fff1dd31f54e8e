import Contract
import JSON
import Store
import Tracking

/// Programs that see what a group sees: they are nobody, and may do nothing but look. A member
/// gives one its token; it ends when any member says so, or its giver leaves.
extension Groups {
    /// Answers by itself: the token is told once, and not stored.
    func createObserver(
        of key: GroupKey, _ name: DisplayName, by person: Person, _ asker: Requester
    ) throws(Refused) {
        let group = try group(key, of: person)
        guard group.observers.count < Groups.maximumObservers else {
            let limit = Groups.maximumObservers
            throw .problem(
                Problem(.tooMany, "A group may have at most \(limit) observers. End some."))
        }
        let row = ObserverRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), group: group.id,
            user: person.id, name: name.text, at: now)
        let observer = Observer(id: row.id, name: row.name, by: person.name, since: now)
        var message = group.message
        message.observers.append(observer)
        guard Group.hasRoom(for: message) else {
            throw .problem(Problem(.tooMany, "It would no longer fit into the group's message."))
        }
        let token = ObserverToken(row.id, secret: TokenSecret(using: &random))
        try stored { transaction throws(StoreError) in
            try transaction.insert(row, tokenHash: token.hash)
            group.observers.append(row)
            publishGroup(group)
            try turn.reply(
                to: asker, secretly: result(observer, group, token),
                without: result(observer, group))
        }
        noteUsage(.changes, of: person)
        count("observers-made")
    }

    func endObserver(_ id: UUIDv7, of key: GroupKey, by person: Person) throws(Refused) -> [UInt8] {
        let group = try group(key, of: person)
        guard group.observers.contains(where: { $0.id == id }) else {
            throw .problem(Problem(.unknownLink, "The group has no such observer."))
        }
        try stored { _ throws(StoreError) in try end([id], of: group) }
        publishGroup(group)
        return Array("{}".utf8)
    }

    /// Ends those to whom the member gave their tokens, who is leaving.
    func endObservers(of member: Person, in group: Group) throws(StoreError) {
        try end(group.observers.filter { $0.user == member.id }.map(\.id), of: group)
    }

    private func end(_ ids: [UUIDv7], of group: Group) throws(StoreError) {
        for id in ids {
            try transaction.deleteObserver(id)
            count("observers-ended")
        }
        group.observers.removeAll { ids.contains($0.id) }
    }

    private func result(_ observer: Observer, _ group: Group, _ token: ObserverToken? = nil)
        -> [UInt8]
    {
        JSONWriter.object { json in
            json.key("observer")
            json.string(observer.id.description)
            json.key("topic")
            json.string(topics.string(.group(group.key)))
            json.key("username")
            json.string(ObserverToken.username(of: observer.id))
            guard let token else { return }
            json.key("token")
            json.string(token.text)
        }
    }

    /// The most observers of a group.
    static let maximumObservers = 5
}

extension Group {
    /// As its members see them.
    var shownObservers: [Observer] {
        observers.compactMap { row in
            members.first { $0.id == row.user }.map {
                Observer(id: row.id, name: row.name, by: $0.name, since: row.at)
            }
        }
    }
}
