import Contract
import Store

extension Friends {
    var exported: [ExportSection] {
        [
            ExportSection("r") { [self] (page, person, last: Name?) throws(Refused) in
                let rows = try stored { transaction throws(StoreError) in
                    try transaction.friends(
                        of: person.id, after: last?.text ?? "", atMost: ExportSection.rows)
                }
                for row in rows {
                    guard page.hasRoom else { return }
                    guard let friend = memory.people[row.friend] else { continue }
                    page.add(
                        .friend(friend.name, addedAt: row.addedAt, sharedSince: row.sharedSince))
                    page.next = friend.name
                }
                if rows.count < ExportSection.rows { page.next = nil }
            },
            ExportSection("b") { [self] (page, person, last: Name?) throws(Refused) in
                let rows = try stored { transaction throws(StoreError) in
                    try transaction.blocked(
                        by: person.id, after: last?.text ?? "", atMost: ExportSection.rows)
                }
                for row in rows {
                    guard page.hasRoom else { return }
                    guard let user = memory.people[row.user] else { continue }
                    page.add(.blocked(user.name, at: row.at))
                    page.next = user.name
                }
                if rows.count < ExportSection.rows { page.next = nil }
            },
        ]
    }
}
