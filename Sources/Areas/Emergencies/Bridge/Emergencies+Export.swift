import Contract
import Store
import Tracking

extension Emergencies {
    var exported: [ExportSection] {
        [
            ExportSection("a") { [self] (page, person, last: UUIDv7?) in
                try addAlerts(about: person, before: last, to: &page)
            },
            // Alerts about others.
            ExportSection("k") { [self] (page, person, last: UUIDv7?) in
                let rows = try transaction.acknowledgements(
                    by: person.id, before: last, limit: ExportSection.rows)
                for row in rows {
                    guard page.hasRoom else { return }
                    page.next = row.alert
                    page.add(
                        .acknowledgement(
                            row.alert, at: row.at, comingAt: row.comingAt, calledAt: row.calledAt))
                }
                if rows.count < ExportSection.rows { page.next = nil }
            },
        ]
    }

    private func addAlerts(about person: Person, before id: UUIDv7?, to page: inout ExportPage)
        throws
    {
        let rows = try transaction.alerts(about: person.id, before: id, limit: ExportSection.rows)
        for row in rows {
            guard page.hasRoom else { return }
            page.next = row.alert.id
            guard let group = memory.groups[row.alert.group] else { continue }
            // A former member does not see the other members.
            let isMember = person.membership(in: group.id) != nil
            let seenBy = (isMember ? row.acknowledgedBy : []).prefix(ExportItem.maximumNames)
            page.add(
                .alert(
                    AlertMessage(
                        row.alert, group: group.key, user: person.name, name: person.displayName,
                        acknowledgedBy: seenBy.compactMap { memory.people[$0]?.name },
                        responses: isMember ? memory.named(row.responses) : [])))
        }
        if rows.count < ExportSection.rows { page.next = nil }
    }
}
