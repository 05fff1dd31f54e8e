public import Contract
internal import ExportFiles
internal import Sealing
internal import Store
internal import Tracking

extension Export {
    public func eachAccountItem(_ body: (ExportItem) async throws -> Void) async throws {
        for item in directory { try await body(item) }
        for table in StoredTable.all where !table.isLong { try await eachItem(of: table, body) }
        try await eachSecret(body)
    }

    public func eachItem(
        of list: ExportList, _ body: (ExportItem) async throws -> Void
    ) async throws {
        switch list.type {
        case "alert": try await eachRow(alerts, body)
        case "acknowledgement": try await eachRow(acknowledgements, body)
        case "message": try await eachRow(messages, body)
        case "vitals": try await eachSample(body)
        default:
            for table in StoredTable.all where table.exportedType == list.type {
                try await eachItem(of: table, body)
            }
        }
    }

    private var directory: [ExportItem] {
        let user = person.user
        let account = ExportItem.Account(
            user: user.name, name: user.displayName, firstName: user.firstName,
            lastName: user.lastName, email: user.email,
            ownTracksPublishIsSOS: user.ownTracksPublishIsSOS, createdAt: user.createdAt,
            addableBy: user.addableBy, emailVerifiedAt: person.standing.emailVerifiedAt,
            terms: person.standing.terms, secondFactorSince: person.standing.secondFactorSince,
            profile: user.profile)
        var items = [ExportItem.account(account), .usage(person.usage)]
        items += person.devices.map {
            .device(
                $0.name, kind: $0.appProtocol.rawValue, createdAt: $0.createdAt,
                lastSeen: $0.lastSeen)
        }
        items += person.memberships.map {
            .group($0.group.key, name: $0.group.name, joinedAt: $0.joinedAt)
        }
        items += states
        return items
    }

    private var states: [ExportItem] {
        person.memberships.compactMap { membership in
            person.tracker.session(in: membership.group.id).map { session in
                .state(
                    membership.group.key,
                    MemberState(
                        user: person.user.name, name: person.user.displayName,
                        tracker: person.tracker, session: session, rules: rules,
                        profile: person.user.profile))
            }
        }
    }

    /// Calls `body` with the rows of a table that converts them to items itself.
    private func eachItem(
        of table: StoredTable, _ body: (ExportItem) async throws -> Void
    ) async throws {
        guard let items = table.items else { return }
        var (place, isMore) = ("", true)
        while isMore {
            let rows = try reader.read { try items($0, person.user.id, place, Export.pageLength) }
            for case let item? in rows.map(\.item) { try await body(item) }
            place = rows.last?.place ?? place
            isMore = rows.count == Export.pageLength
        }
    }

    // MARK: Rows, the newest first

    /// Some rows, as items, and the last of them; nil at the end.
    private typealias Rows = (items: [ExportItem], last: UUIDv7)

    private func eachRow(
        _ rows: (Transaction, _ before: UUIDv7?) throws -> Rows?,
        _ body: (ExportItem) async throws -> Void
    ) async throws {
        var before: UUIDv7?
        while let page = try reader.read({ try rows($0, before) }) {
            for item in page.items { try await body(item) }
            before = page.last
        }
    }

    private func alerts(_ transaction: Transaction, before: UUIDv7?) throws -> Rows? {
        let user = person.user
        let rows = try transaction.alerts(
            about: user.id, before: before, limit: Export.pageLength)
        var items: [ExportItem] = []
        for row in rows {
            guard let key = try transaction.groupKey(row.alert.group) else { continue }
            // Former members do not see who the others are.
            let isMember = person.memberships.contains { $0.group.id == row.alert.group }
            let seenBy = (isMember ? row.acknowledgedBy : []).prefix(ExportItem.maximumNames)
            items.append(
                .alert(
                    AlertMessage(
                        row.alert, group: key, user: user.name, name: user.displayName,
                        acknowledgedBy: try transaction.names(of: Array(seenBy)),
                        responses: isMember ? try responses(row, transaction) : [])))
        }
        return rows.last.map { (items, $0.alert.id) }
    }

    private func responses(_ row: AlertRow, _ transaction: Transaction) throws -> [AlertResponse] {
        var responses: [AlertResponse] = []
        for response in row.responses.prefix(AlertResponse.maximumNamed) {
            guard let name = try transaction.names(of: [response.user]).first,
                let helper = try transaction.user(name)
            else { continue }
            responses.append(
                AlertResponse(
                    user: name, name: helper.displayName, kind: response.kind, at: response.at))
        }
        return responses
    }

    private func acknowledgements(_ transaction: Transaction, before: UUIDv7?) throws -> Rows? {
        let rows = try transaction.acknowledgements(
            by: person.user.id, before: before, limit: Export.pageLength)
        return rows.last.map { last in
            (
                rows.map {
                    .acknowledgement(
                        $0.alert, at: $0.at, comingAt: $0.comingAt, calledAt: $0.calledAt)
                }, last.alert
            )
        }
    }

    private func messages(_ transaction: Transaction, before: UUIDv7?) throws -> Rows? {
        let user = person.user
        let author = ChatMessage.Person(user: user.name, name: user.displayName)
        let rows = try transaction.chat(
            writtenBy: user.id, before: before, limit: Export.pageLength)
        var items: [ExportItem] = []
        for row in rows {
            guard let key = try transaction.groupKey(row.group) else { continue }
            items.append(
                .message(
                    ChatMessage(
                        id: row.id, group: key, kind: row.kind, at: row.at, from: author,
                        words: row.words)))
        }
        return rows.last.map { (items, $0.id) }
    }

    /// Calls `body` with the encrypted data other than vital signs.
    private func eachSecret(_ body: (ExportItem) async throws -> Void) async throws {
        guard let keys else { return }
        let user = person.user.id
        let (monitor, groups) = try reader.read { transaction in
            (
                try transaction.monitor(of: user),
                try transaction.memberships(of: user, from: 0, atMost: GroupSelection.maximum)
                    .map(\.group)
            )
        }
        if let monitor, let monitored = try monitor.opened(with: keys) {
            let alerted = monitored.alerted(of: groups.map(\.id))
            let keys = groups.filter { alerted.contains($0.id) }.map(\.key)
            try await body(.monitoring(monitored, groups: keys, since: monitor.since))
        }
        try await eachRow(
            { transaction, before in
                let rows = try transaction.incidents(
                    of: user, before: before, limit: Export.pageLength)
                var items: [ExportItem] = []
                for row in rows {
                    if let incident = try row.opened(with: keys) {
                        items.append(.incident(incident))
                    }
                }
                return rows.last.map { (items, $0.id) }
            }, body)
        let profile = try reader.read { transaction in
            try transaction.healthProfile(of: user)
        }.flatMap { keys.open($0, as: Transaction.profileContext(user)) }
        if let profile = profile.flatMap({ HealthProfile($0) }) {
            try await body(.healthProfile(profile))
        }
    }

    /// Calls `body` with the vital signs, the newest first.
    private func eachSample(_ body: (ExportItem) async throws -> Void) async throws {
        guard let keys else { return }
        var place: VitalsPlace?
        while true {
            let rows = try reader.read { transaction in
                try transaction.vitals(
                    of: person.user.id, from: nil, to: nil, before: place,
                    limit: Export.pageLength)
            }
            for row in rows {
                guard let vitals = row.opened(with: keys),
                    let device = person.devices.first(where: { $0.id == row.device })
                else { continue }
                try await body(.vitals(vitals, device: device.name))
            }
            guard let last = rows.last else { return }
            place = last.place
        }
    }

    /// The number of rows read at a time.
    static let pageLength = 200
}

extension StoredTable {
    /// Whether its rows are items of a long list.
    fileprivate var isLong: Bool { exportedType.flatMap { ExportList.of($0) }?.isLong ?? false }
}
