import Contract
import Store

extension Groups {
    var exported: [ExportSection] {
        [
            // By membership number.
            ExportSection("g") { [self] (page, person, first: Int64?) in
                let rows = try transaction.memberships(
                    of: person.id, from: first ?? 0, atMost: ExportSection.rows)
                for row in rows {
                    page.next = row.number
                    guard page.hasRoom else { return }
                    page.add(
                        .group(row.group.key, name: row.group.name, joinedAt: row.joinedAt))
                    if let group = memory.groups[row.group.id],
                        let state = state(of: person, in: group)
                    {
                        page.add(.state(group.key, state))
                    }
                    page.next = row.number + 1
                }
                if rows.count < ExportSection.rows { page.next = nil }
            }
        ]
    }
}
