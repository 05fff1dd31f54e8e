internal import Contract
internal import Store
internal import Tracking

extension Export {
    /// `{exportedAt,account,usage,devices,groups,states,friends,blocked,alerts,acknowledgements,messages}`
    func writeAccount(_ entry: inout Entry) throws(ExportError) {
        let user = person.user
        let account = ExportItem.account(
            .init(
                user: user.name, name: user.displayName, firstName: user.firstName,
                lastName: user.lastName, email: user.email,
                ownTracksPublishIsSOS: user.ownTracksPublishIsSOS, createdAt: user.createdAt))
        try entry.put("{\"exportedAt\":\"\(now.rfc3339)\",\n\"account\":")
        try entry.put(account.payload)
        try entry.put(",\n\"usage\":")
        try entry.put(ExportItem.usage(person.usage).payload)
        try entry.put(",\n\"devices\":")
        try entry.list(
            person.devices.map {
                .device($0.name, kind: $0.speaks.rawValue, createdAt: $0.createdAt)
            })
        try entry.put(",\n\"groups\":")
        try entry.list(
            person.memberships.map {
                .group($0.group.key, name: $0.group.name, joinedAt: $0.joinedAt)
            })
        try entry.put(",\n\"states\":")
        try entry.list(states)
        try entry.put(",\n\"friends\":")
        try entry.list(
            person.friends.map {
                .friend($0.name, addedAt: $0.row.addedAt, sharedSince: $0.row.sharedSince)
            })
        try entry.put(",\n\"blocked\":")
        try entry.list(person.blocked.map { .blocked($0.name, at: $0.at) })
        try entry.put(",\n\"alerts\":")
        try writeAlerts(&entry)
        try entry.put(",\n\"acknowledgements\":")
        try writeAcknowledgements(&entry)
        try entry.put(",\n\"messages\":")
        try writeMessages(&entry)
        try entry.put("}\n")
    }

    private var states: [ExportItem] {
        person.memberships.compactMap { membership in
            person.tracker.session(in: membership.group.id).map { session in
                .state(
                    membership.group.key,
                    MemberState(
                        user: person.user.name, name: person.user.displayName,
                        tracker: person.tracker, session: session, rules: rules))
            }
        }
    }

    private func writeAlerts(_ entry: inout Entry) throws(ExportError) {
        var before: UUIDv7?
        var list = List()
        let user = person.user
        while true {
            let (last, items) = try reader.read { transaction throws(StoreError) in
                let rows = try transaction.alerts(
                    about: user.id, before: before, limit: Export.pageLength)
                var items: [ExportItem] = []
                for row in rows {
                    guard let key = try transaction.groupKey(row.alert.group) else { continue }
                    // Former members do not see who the others are.
                    let isMember = person.memberships.contains { $0.group.id == row.alert.group }
                    let names = isMember ? try transaction.names(of: row.acknowledgedBy) : []
                    items.append(
                        .alert(
                            AlertMessage(
                                row.alert, group: key, user: user.name, name: user.displayName,
                                acknowledgedBy: names)))
                }
                return (rows.last?.alert.id, items)
            }
            for item in items { try list.add(item.payload, to: &entry) }
            guard let last else { return try list.end(&entry) }
            before = last
        }
    }

    private func writeAcknowledgements(_ entry: inout Entry) throws(ExportError) {
        var before: UUIDv7?
        var list = List()
        while true {
            let rows = try reader.read { transaction throws(StoreError) in
                try transaction.acknowledgements(
                    by: person.user.id, before: before, limit: Export.pageLength)
            }
            for row in rows {
                let item = ExportItem.acknowledgement(row.alert, at: row.at)
                try list.add(item.payload, to: &entry)
            }
            guard let last = rows.last else { return try list.end(&entry) }
            before = last.alert
        }
    }

    private func writeMessages(_ entry: inout Entry) throws(ExportError) {
        var before: UUIDv7?
        var list = List()
        let user = person.user
        let author = ChatMessage.Person(user: user.name, name: user.displayName)
        while true {
            let (last, items) = try reader.read { transaction throws(StoreError) in
                let rows = try transaction.chat(
                    writtenBy: user.id, before: before, limit: Export.pageLength)
                var items: [ExportItem] = []
                for row in rows {
                    guard let key = try transaction.groupKey(row.group) else { continue }
                    items.append(
                        .message(
                            ChatMessage(
                                id: row.id, group: key, kind: row.kind, at: row.at,
                                from: author, words: row.words)))
                }
                return (rows.last?.id, items)
            }
            for item in items { try list.add(item.payload, to: &entry) }
            guard let last else { return try list.end(&entry) }
            before = last
        }
    }

    /// The number of rows read at a time.
    static let pageLength = 200
}

/// A JSON array with one element per line.
struct List {
    private var isEmpty = true

    mutating func add(_ element: [UInt8], to entry: inout Entry) throws(ExportError) {
        try entry.put(isEmpty ? "[\n" : ",\n")
        try entry.put(element)
        isEmpty = false
    }

    func end(_ entry: inout Entry) throws(ExportError) { try entry.put(isEmpty ? "[]" : "\n]") }
}

extension Entry {
    fileprivate mutating func list(_ items: [ExportItem]) throws(ExportError) {
        var list = List()
        for item in items { try list.add(item.payload, to: &self) }
        try list.end(&self)
    }
}
