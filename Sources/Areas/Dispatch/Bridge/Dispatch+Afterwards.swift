import Contract
import Sealing
import Store
import Tracking

/// Access to incidents afterwards, and their retention.
extension Dispatch {
    func list(of person: Person, before: UUIDv7?, _ limit: Int) throws -> [UInt8] {
        // One more, to find out whether there is more.
        let rows = try transaction.incidents(of: person.id, before: before, limit: limit + 1)
        var page = ListPage()
        for row in rows.prefix(limit) where page.hasRoom {
            page.next = row.id.description
            if let incident = opened(row) {
                page.add { $0.object(Incident.payload, incident) }
            }
        }
        if page.next == rows.last?.id.description { page.next = nil }
        return page.result(Incident.list)
    }

    /// Returns nil also for a document of a newer version: a list goes on without it.
    private func opened(_ row: IncidentRow) -> Incident? {
        guard let keys = settings.sealingKeys else { return nil }
        do {
            return try row.opened(with: keys)
        } catch {
            return nil
        }
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        if let keys = settings.sealingKeys {
            for row in try transaction.incidents(sealedBefore: keys.newest, limit: limit) {
                // A row that no key opens is left unchanged: its key may be restored.
                guard let content = keys.open(row.sealed, as: IncidentRow.context(row.id)) else {
                    continue
                }
                try transaction.setSealed(
                    keys.seal(content, as: IncidentRow.context(row.id), using: &random),
                    ofIncident: row.id)
            }
        }
        let moment = sweep.startedAt - settings.retention.incidents
        let drills = try transaction.deleteDrills(before: moment, atMost: limit)
        let incidents = try transaction.deleteIncidents(closedBefore: moment, atMost: limit)
        return max(drills, incidents) >= limit
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        try close(.init(at: now, .accountDeleted), of: person)
    }

    var exported: [ExportSection] {
        [
            ExportSection("incidents") { [self] (page, person, last: UUIDv7?) in
                let rows = try transaction.incidents(
                    of: person.id, before: last, limit: ExportSection.rows)
                for row in rows {
                    guard page.hasRoom else { return }
                    page.next = row.id
                    if let incident = opened(row) {
                        page.add(.incident(incident))
                    }
                }
                if rows.count < ExportSection.rows { page.next = nil }
            }
        ]
    }
}
