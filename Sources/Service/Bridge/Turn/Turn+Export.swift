import Contract
import JSON
import Store
import Tracking

extension Turn {
    /// Returns a page of all data stored about the person: section by section, table sections
    /// first, then in the order of the areas.
    func exportAccount(of person: Person, from text: String?) throws -> [UInt8] {
        let cursor: ExportCursor? = try place(text, in: "cursor", of: person)
        let sections = exportedTables + areas.all.flatMap { $0.exported } + [exportedFixes]
        var page = ExportPage()
        if cursor == nil {
            let standing = try transaction.standing(of: person.id)
            page.addDirectory(of: person, standing)
        }
        let first = cursor?.section ?? sections[0].key
        guard let start = sections.firstIndex(where: { $0.key == first }) else {
            throw Turn.foreignCursor("cursor")
        }
        var (place, next) = (cursor?.place, ExportCursor?.none)
        for section in sections[start...] {
            page.next = nil
            next = ExportCursor(section: section.key, place: place)
            guard page.hasRoom else { break }
            try section.fill(&page, person, place)
            while page.hasRoom, let following = page.next {
                page.next = nil
                try section.fill(&page, person, following.text)
                page.noteReading()
            }
            next = page.next.map { ExportCursor(section: section.key, place: $0.text) }
            if next != nil { break }
            place = nil
        }
        let sealed = try self.cursor(next, for: person)
        return JSONWriter.object { json in
            json.key("items")
            json.array(page.items) { $0.raw($1) }
            json.key("next")
            if let sealed { json.string(sealed) } else { json.null() }
        }
    }

    /// The tables that describe their own contents.
    private var exportedTables: [ExportSection] {
        StoredTable.all.compactMap { table in
            guard let items = table.items else { return nil }
            return ExportSection(table.name) { [self] (page, person, place: String?) in
                let rows = try items(transaction, person.id, place ?? "", ExportSection.rows)
                for row in rows {
                    guard page.hasRoom else { return }
                    if let item = row.item { page.add(item) }
                    page.next = row.place
                }
                if rows.count < ExportSection.rows { page.next = nil }
            }
        }
    }

    /// The fixes of each device, the newest first. It stops at a fix of any other device: cursors
    /// are untrusted input.
    private var exportedFixes: ExportSection {
        ExportSection("f") { [self] (page, person, place: FixKey?) in
            try addFixes(of: person, from: place, to: &page)
        }
    }

    private func addFixes(of person: Person, from place: FixKey?, to page: inout ExportPage)
        throws
    {
        guard let id = place?.device ?? person.devices.first?.id else { return }
        page.next = person.devices.first { $0.id > id }.map { FixKey(device: $0.id, fix: nil) }
        guard let device = person.devices.first(where: { $0.id == id }),
            let start = place?.fix ?? device.log.last
        else { return }
        // One more row, to know where the next page begins.
        let rows = try transaction.fixes(upTo: start, count: ExportSection.rows + 1)
        for (index, row) in rows.enumerated() {
            guard row.device == device.id else { return }
            guard page.hasRoom, index < ExportSection.rows else {
                return page.next = FixKey(device: device.id, fix: row.id)
            }
            if !row.isForgotten { page.add(.fix(row.fix, device: device.name)) }
        }
    }
}

/// A device, and its newest fix not yet exported; nil: from the newest.
private struct FixKey: SeekKey {
    let device: DeviceID
    let fix: FixID?

    init(device: DeviceID, fix: FixID?) { (self.device, self.fix) = (device, fix) }

    init?(_ text: String) {
        let numbers = text.split(separator: ".").compactMap { Int64($0) }
        guard let device = numbers.first else { return nil }
        self.device = DeviceID(rawValue: device)
        fix = numbers.count > 1 ? FixID(rawValue: numbers[1]) : nil
    }

    var text: String { "\(device.rawValue)" + (fix.map { ".\($0.rawValue)" } ?? "") }
}

extension ExportPage {
    fileprivate mutating func addDirectory(of person: Person, _ standing: Standing) {
        add(
            .account(
                .init(
                    user: person.name, name: person.displayName, firstName: person.firstName,
                    lastName: person.lastName, email: person.email,
                    ownTracksPublishIsSOS: person.ownTracksPublishIsSOS,
                    createdAt: person.createdAt, addableBy: person.addableBy,
                    emailVerifiedAt: standing.emailVerifiedAt, terms: standing.terms,
                    secondFactorSince: standing.secondFactorSince, profile: person.profile)))
        add(.usage(person.usage))
        for device in person.devices {
            add(
                .device(
                    device.name, kind: device.appProtocol.rawValue, createdAt: device.createdAt,
                    lastSeen: device.lastSeen))
        }
    }
}
