internal import Tracking

extension StoredTable {
    static let dispatch = [
        // Exported where the keys are available.
        StoredTable(
            "incidents", .exported("incident"),
            remainsOfUser: .rows(
                """
                DELETE FROM incidents WHERE id IN
                    (SELECT id FROM incidents WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable("drills", .impersonal), StoredTable("drill_ways", .impersonal),
    ]
}
