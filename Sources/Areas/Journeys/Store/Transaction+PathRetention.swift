public import Tracking

/// A path's position among those that have ended.
public struct PathEnd: Hashable, Sendable {
    public let at: Timestamp
    public let user: UserID
    public let number: Int64
    public let mode: Path.Mode
}

/// Deletes expired paths in bounded steps.
extension Transaction {
    /// Hides paths that ended before a moment.
    ///
    /// - Parameters:
    ///   - place: the last path hidden; nil for the first.
    ///   - limit: the number of paths.
    /// - Returns: the groups that had seen them, and the paths themselves in order.
    public func withdrawPaths(
        endedBefore time: Timestamp, after place: PathEnd?, atMost limit: Int
    ) throws(StoreError) -> (shown: [(group: GroupID, user: UserID)], ends: [PathEnd]) {
        let ends = try pathEnds(before: time, after: place, atMost: limit)
        var shown: [(group: GroupID, user: UserID)] = []
        for end in ends {
            shown += try all(
                """
                DELETE FROM path_groups WHERE user_id = ? AND number = ?
                RETURNING group_id, user_id
                """, [SQLValue(end.user), .integer(end.number)]
            ) { row in
                (GroupID(rawValue: try row.integer(0)), UserID(rawValue: try row.integer(1)))
            }
        }
        return (shown, ends)
    }

    /// Returns paths in the order of their ends.
    private func pathEnds(before time: Timestamp, after place: PathEnd?, atMost limit: Int)
        throws(StoreError) -> [PathEnd]
    {
        try all(
            """
            SELECT ended_at_ms, user_id, number, mode FROM paths
            WHERE (ended_at_ms, user_id, number) > (?, ?, ?) AND ended_at_ms < ?
            ORDER BY ended_at_ms, user_id, number LIMIT ?
            """,
            [
                place.map { SQLValue($0.at) } ?? .integer(.min),
                place.map { SQLValue($0.user) } ?? .integer(.min),
                .integer(place?.number ?? .min), SQLValue(time), .integer(Int64(limit)),
            ]
        ) { row in
            PathEnd(
                at: Timestamp(milliseconds: try row.integer(0)),
                user: UserID(rawValue: try row.integer(1)), number: try row.integer(2),
                mode: Path.Mode(rawValue: try row.text(3)) ?? .journey)
        }
    }

    /// Deletes the paths of one kind that ended before a moment, earliest first, and their points in
    /// steps.
    ///
    /// - Parameters:
    ///   - place: the last path examined; nil for the first.
    ///   - limit: the number of points and paths deleted, and of paths examined.
    /// - Returns: the number deleted, the new place, and whether there may be more after it.
    public func deletePaths(
        _ mode: Path.Mode, endedBefore time: Timestamp, after place: PathEnd?, atMost limit: Int
    ) throws(StoreError) -> (deleted: Int, place: PathEnd?, hasMore: Bool) {
        var (deleted, place) = (0, place)
        let ends = try pathEnds(before: time, after: place, atMost: limit)
        for end in ends {
            if end.mode == mode {
                guard deleted < limit else { return (deleted, place, true) }
                deleted += try delete(end, atMost: limit - deleted)
                // Part of the path may be left.
                if deleted >= limit { return (deleted, place, true) }
            }
            place = end
        }
        return (deleted, place, ends.count >= limit)
    }

    /// - Returns: the number of rows deleted; `limit` if part of the path may be left.
    private func delete(_ end: PathEnd, atMost limit: Int) throws(StoreError) -> Int {
        let path = [SQLValue(end.user), .integer(end.number)]
        let points = try driver.executeCounted(
            """
            DELETE FROM path_points
            WHERE user_id = ? AND number = ? AND (taken_at_ms, fix_id) IN (
                SELECT taken_at_ms, fix_id FROM path_points
                WHERE user_id = ? AND number = ? ORDER BY taken_at_ms, fix_id LIMIT ?)
            """, path + path + [.integer(Int64(limit))])
        guard points < limit else { return points }
        try driver.execute("DELETE FROM path_groups WHERE user_id = ? AND number = ?", path)
        return try points
            + driver.executeCounted("DELETE FROM paths WHERE user_id = ? AND number = ?", path)
    }
}
