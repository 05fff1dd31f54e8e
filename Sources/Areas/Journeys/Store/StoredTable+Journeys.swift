internal import Tracking

extension StoredTable {
    static let journeys = [
        StoredTable(
            "path_points", .exported("path"),
            remainsOfUser: .rows(
                """
                DELETE FROM path_points WHERE (user_id, number, taken_at_ms, fix_id) IN
                    (SELECT user_id, number, taken_at_ms, fix_id FROM path_points
                    WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable(
            "path_groups", .kept,
            hide: { transaction, user, _ in
                try transaction.driver.execute(
                    "DELETE FROM path_groups WHERE user_id = ?", [SQLValue(user)])
            },
            remainsOfUser: .rows(
                """
                DELETE FROM path_groups WHERE (group_id, user_id, number) IN
                    (SELECT group_id, user_id, number FROM path_groups WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable(
            "paths", .exported("path"),
            hide: { transaction, user, counts in
                (counts.paths, counts.pathPoints) = try transaction.countPaths(of: user)
            },
            remainsOfUser: .rows(
                """
                DELETE FROM paths WHERE (user_id, number) IN
                    (SELECT user_id, number FROM paths WHERE user_id = ? LIMIT ?)
                """)),
    ]
}

extension Transaction {
    /// Counts paths and points. Paths have a stored length, but have to be counted if they are in
    /// progress or if the retention may have deleted a part of them: the first of all, and the
    /// first journey.
    fileprivate func countPaths(of user: UserID) throws(StoreError) -> (paths: Int, points: Int) {
        let parameters = [SQLValue(user)]
        return try one(
            """
            SELECT COUNT(*), COALESCE(SUM(CASE
                WHEN point_count IS NULL OR number IN (
                    SELECT MIN(number) FROM paths WHERE user_id = ?
                    UNION SELECT MIN(number) FROM paths WHERE user_id = ? AND mode = 'journey')
                THEN (SELECT COUNT(*) FROM path_points
                    WHERE path_points.user_id = p.user_id AND path_points.number = p.number)
                ELSE point_count END), 0)
            FROM paths p WHERE user_id = ?
            """, parameters + parameters + parameters
        ) { row in (Int(try row.integer(0)), Int(try row.integer(1))) } ?? (0, 0)
    }
}
