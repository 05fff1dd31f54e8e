import Contract
import Store
import Tracking

extension Turn {
    /// Returns a page of everything that is stored about the person, in the order of
    /// ``ExportCursor``.
    func exportAccount(of person: Person, from cursor: ExportCursor?) throws(Refused) -> [UInt8] {
        var page = ExportPage()
        if cursor == nil { page.addDirectory(of: person) }
        page.next = cursor ?? .groups(from: 0)
        while let next = page.next, page.hasRoom {
            switch next {
            case .groups(let number): try addGroups(of: person, from: number, to: &page)
            case .friends(let name): try addFriends(of: person, after: name, to: &page)
            case .blocked(let name): try addBlocked(by: person, after: name, to: &page)
            case .paths(let number, let place):
                try addPath(of: person, from: number, after: place, to: &page)
            case .alerts(let id): try addAlerts(of: person, before: id, to: &page)
            case .acknowledgements(let id):
                try addAcknowledgements(of: person, before: id, to: &page)
            case .messages(let id): try addMessages(of: person, before: id, to: &page)
            case .fixes(let device, let fix):
                try addFixes(of: person, device, from: fix, to: &page)
            }
        }
        return JSONWriter.object { json in
            json.key("items")
            json.array(page.items) { $0.raw($1) }
            json.key("next")
            if let next = page.next { json.string(next.text) } else { json.null() }
        }
    }

    private func addGroups(of person: Person, from number: Int64, to page: inout ExportPage)
        throws(Refused)
    {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.memberships(of: person.id, from: number, atMost: Turn.exportRows)
        }
        for row in rows {
            page.next = .groups(from: row.number)
            guard page.hasRoom else { return }
            page.add(.group(row.group.key, name: row.group.name, joinedAt: row.joinedAt))
            if let group = memory.groups[row.group.id], let state = state(of: person, in: group) {
                page.add(.state(group.key, state))
            }
            page.next = .groups(from: row.number + 1)
        }
        if rows.count < Turn.exportRows { page.next = .friends(after: nil) }
    }

    private func addFriends(of person: Person, after name: Name?, to page: inout ExportPage)
        throws(Refused)
    {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.friends(
                of: person.id, after: name?.text ?? "", atMost: Turn.exportRows)
        }
        for row in rows {
            guard page.hasRoom else { return }
            guard let friend = memory.people[row.friend] else { continue }
            page.add(.friend(friend.name, addedAt: row.addedAt, sharedSince: row.sharedSince))
            page.next = .friends(after: friend.name)
        }
        if rows.count < Turn.exportRows { page.next = .blocked(after: nil) }
    }

    private func addBlocked(by person: Person, after name: Name?, to page: inout ExportPage)
        throws(Refused)
    {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.blocked(
                by: person.id, after: name?.text ?? "", atMost: Turn.exportRows)
        }
        for row in rows {
            guard page.hasRoom else { return }
            guard let user = memory.people[row.user] else { continue }
            page.add(.blocked(user.name, at: row.at))
            page.next = .blocked(after: user.name)
        }
        if rows.count < Turn.exportRows { page.next = .paths(number: 0, after: nil) }
    }

    private func addPath(
        of person: Person, from number: Int64, after place: PathPlace?,
        to page: inout ExportPage
    ) throws(Refused) {
        let row = try stored { transaction throws(StoreError) in
            try transaction.path(of: person.id, from: number)
        }
        guard let row else { return page.next = .alerts(before: nil) }
        let path = row.path
        let points = try stored { transaction throws(StoreError) in
            try transaction.pathPoints(
                path.number, of: person.id, after: path.number == number ? place : nil,
                atMost: Turn.exportPoints)
        }
        if !points.isEmpty || place == nil || path.number != number {
            page.add(
                .path(
                    .init(
                        number: path.number, mode: path.mode, startedAt: path.startedAt,
                        endedAt: row.endedAt, points: points.map(\.point))))
        }
        if points.count == Turn.exportPoints, let last = points.last {
            page.next = .paths(number: path.number, after: last.place)
        } else {
            page.next = .paths(number: path.number + 1, after: nil)
        }
    }

    private func addAlerts(of person: Person, before id: UUIDv7?, to page: inout ExportPage)
        throws(Refused)
    {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.alerts(about: person.id, before: id, limit: Turn.exportRows)
        }
        for row in rows {
            guard page.hasRoom else { return }
            page.next = .alerts(before: row.alert.id)
            guard let group = memory.groups[row.alert.group] else { continue }
            // A former member does not see who the others are.
            let isMember = person.membership(in: group.id) != nil
            let seenBy = (isMember ? row.acknowledgedBy : []).prefix(ExportItem.maximumNames)
            page.add(
                .alert(
                    AlertMessage(
                        row.alert, group: group.key, user: person.name, name: person.displayName,
                        acknowledgedBy: seenBy.compactMap { memory.people[$0]?.name })))
        }
        if rows.count < Turn.exportRows { page.next = .acknowledgements(before: nil) }
    }

    private func addAcknowledgements(
        of person: Person, before id: UUIDv7?, to page: inout ExportPage
    ) throws(Refused) {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.acknowledgements(by: person.id, before: id, limit: Turn.exportRows)
        }
        for row in rows {
            guard page.hasRoom else { return }
            page.next = .acknowledgements(before: row.alert)
            page.add(.acknowledgement(row.alert, at: row.at))
        }
        if rows.count < Turn.exportRows { page.next = .messages(before: nil) }
    }

    private func addMessages(of person: Person, before id: UUIDv7?, to page: inout ExportPage)
        throws(Refused)
    {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.chat(writtenBy: person.id, before: id, limit: Turn.exportRows)
        }
        for row in rows {
            guard page.hasRoom else { return }
            page.next = .messages(before: row.id)
            if let message = message(row) { page.add(.message(message)) }
        }
        guard rows.count < Turn.exportRows else { return }
        page.next = person.devices.first.map { .fixes($0.id, from: nil) }
    }

    /// Adds the device's fixes, the newest first, then those of the next device. It stops at a fix
    /// of any other device: cursors are untrusted input.
    private func addFixes(
        of person: Person, _ id: DeviceID, from fix: FixID?, to page: inout ExportPage
    ) throws(Refused) {
        let following = person.devices.first { $0.id > id }
        page.next = following.map { .fixes($0.id, from: nil) }
        guard let device = person.devices.first(where: { $0.id == id }),
            let start = fix ?? device.log.last
        else { return }
        // One more, to know where the next page begins.
        let rows = try stored { transaction throws(StoreError) in
            try transaction.fixes(upTo: start, count: Turn.exportRows + 1)
        }
        for (index, row) in rows.enumerated() {
            guard row.device == device.id else { return }
            guard page.hasRoom, index < Turn.exportRows else {
                return page.next = .fixes(device.id, from: row.id)
            }
            if !row.isForgotten { page.add(.fix(row.fix, device: device.name)) }
        }
    }

    /// Rows read at a time.
    private static let exportRows = 50
    /// Points of a path in one item.
    private static let exportPoints = 400
}

/// A page that is being filled.
private struct ExportPage {
    private(set) var items: [[UInt8]] = []
    private var size = 0
    /// Where the next page begins; nil at the end.
    var next: ExportCursor?

    /// The bytes after which a page ends. The largest items have 20,000 (400 points, 500 names),
    /// and 25,000 (a message of newlines); a reply stays below 60 KiB.
    private static let capacity = 36_000

    var hasRoom: Bool { size < ExportPage.capacity }

    mutating func add(_ item: ExportItem) {
        let payload = item.payload
        size += payload.count + 1
        items.append(payload)
    }

    mutating func addDirectory(of person: Person) {
        add(
            .account(
                .init(
                    user: person.name, name: person.displayName, firstName: person.firstName,
                    lastName: person.lastName, email: person.email,
                    ownTracksPublishIsSOS: person.ownTracksPublishIsSOS,
                    createdAt: person.createdAt)))
        add(.usage(person.usage))
        for device in person.devices {
            add(
                .device(device.name, kind: device.speaks.rawValue, createdAt: device.createdAt))
        }
    }
}
