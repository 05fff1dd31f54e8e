public import Contract
public import Tracking

/// A stored path.
public struct PathRow: Sendable {
    public let user: UserID
    public let number: Int64
    public let mode: Path.Mode
    public let startedAt: Timestamp
    /// The number of its points; nil while it is in progress.
    public let count: Int?

    static let columns = "p.user_id, p.number, p.mode, p.started_at_ms, p.point_count"
}

extension Transaction {
    public func begin(_ path: Path, of user: UserID) throws(StoreError) {
        try driver.execute(
            "INSERT INTO paths (user_id, number, mode, started_at_ms) VALUES (?, ?, ?, ?)",
            [
                SQLValue(user), .integer(path.number), .text(path.mode.rawValue),
                SQLValue(path.startedAt),
            ])
        try show(path, of: user)
    }

    /// Stores the path's mode and the groups that see it.
    public func show(_ path: Path, of user: UserID) throws(StoreError) {
        try driver.execute(
            "UPDATE paths SET mode = ? WHERE user_id = ? AND number = ?",
            [.text(path.mode.rawValue), SQLValue(user), .integer(path.number)])
        try insertAll(
            "INSERT INTO path_groups (group_id, user_id, number)",
            path.groups.map { [SQLValue($0), SQLValue(user), .integer(path.number)] },
            "ON CONFLICT DO NOTHING")
    }

    public func add(_ row: FixRow, toPath number: Int64, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO path_points (user_id, number, taken_at_ms, fix_id, latitude_e7,
                longitude_e7)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                SQLValue(user), .integer(number), SQLValue(row.fix.takenAt), SQLValue(row.id),
                .integer(Int64(row.fix.coordinate.latitudeE7)),
                .integer(Int64(row.fix.coordinate.longitudeE7)),
            ])
    }

    public func endPath(_ number: Int64, of user: UserID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            """
            UPDATE paths SET ended_at_ms = ?, point_count = (
                SELECT COUNT(*) FROM path_points WHERE user_id = ? AND number = ?)
            WHERE user_id = ? AND number = ?
            """,
            [
                SQLValue(now), SQLValue(user), .integer(number), SQLValue(user), .integer(number),
            ])
    }

    /// Hides earlier paths from the groups that see this one. Call this when the path of an SOS has
    /// ended.
    public func supersedePaths(by number: Int64, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            DELETE FROM path_groups WHERE user_id = ? AND number < ? AND group_id IN
                (SELECT group_id FROM path_groups WHERE user_id = ? AND number = ?)
            """, [SQLValue(user), .integer(number), SQLValue(user), .integer(number)])
    }

    /// Hides the path from everyone but its owner.
    public func withdrawPath(_ number: Int64, of user: UserID) throws(StoreError) {
        try driver.execute(
            "DELETE FROM path_groups WHERE user_id = ? AND number = ?",
            [SQLValue(user), .integer(number)])
    }

    /// Returns the groups that may see the path.
    public func groups(ofPath number: Int64, of user: UserID) throws(StoreError) -> [GroupID] {
        try all(
            "SELECT group_id FROM path_groups WHERE user_id = ? AND number = ? ORDER BY group_id",
            [SQLValue(user), .integer(number)]
        ) { GroupID(rawValue: try $0.integer(0)) }
    }

    /// Hides the user's paths from this number on from the group.
    public func withdrawPaths(from number: Int64, of user: UserID, from group: GroupID)
        throws(StoreError)
    {
        try driver.execute(
            "DELETE FROM path_groups WHERE group_id = ? AND user_id = ? AND number >= ?",
            [SQLValue(group), SQLValue(user), .integer(number)])
    }

    /// Returns the user's newest path that the group may see.
    public func visiblePath(of user: UserID, to group: GroupID) throws(StoreError) -> PathRow? {
        try one(
            """
            SELECT \(PathRow.columns)
            FROM path_groups g JOIN paths p ON p.user_id = g.user_id AND p.number = g.number
            WHERE g.group_id = ? AND g.user_id = ? ORDER BY g.number DESC LIMIT 1
            """,
            [SQLValue(group), SQLValue(user)]
        ) { try PathRow($0) }
    }

    /// Returns the user's newest path.
    public func latestPath(of user: UserID) throws(StoreError) -> PathRow? {
        try one(
            """
            SELECT \(PathRow.columns) FROM paths p
            WHERE p.user_id = ? ORDER BY p.number DESC LIMIT 1
            """,
            [SQLValue(user)]
        ) { try PathRow($0) }
    }

    /// Returns every (group, user) such that the group sees a path of the user.
    public func visiblePaths() throws(StoreError) -> [(group: GroupID, user: UserID)] {
        try all("SELECT DISTINCT group_id, user_id FROM path_groups ORDER BY 1, 2") { row in
            (GroupID(rawValue: try row.integer(0)), UserID(rawValue: try row.integer(1)))
        }
    }

    // MARK: Points

    /// Returns the last points in order of time.
    public func lastPathPoints(_ number: Int64, of user: UserID, count: Int)
        throws(StoreError) -> [Path.Point]
    {
        try all(
            """
            SELECT latitude_e7, longitude_e7, taken_at_ms FROM path_points
            WHERE user_id = ? AND number = ? ORDER BY taken_at_ms DESC, fix_id DESC LIMIT ?
            """, [SQLValue(user), .integer(number), .integer(Int64(count))]
        ) { try Path.Point($0) }.reversed()
    }

    /// Returns points in order of time, with their positions in the path.
    ///
    /// - Parameter place: the last known point; nil for the first.
    public func pathPoints(
        _ number: Int64, of user: UserID, after place: PointKey?, atMost limit: Int
    ) throws(StoreError) -> [(point: Path.Point, place: PointKey)] {
        let place = place ?? PointKey(takenAt: Timestamp(milliseconds: .min), number: .min)
        return try all(
            """
            SELECT latitude_e7, longitude_e7, taken_at_ms, fix_id FROM path_points
            WHERE user_id = ? AND number = ? AND (taken_at_ms, fix_id) > (?, ?)
            ORDER BY taken_at_ms, fix_id LIMIT ?
            """,
            [
                SQLValue(user), .integer(number), SQLValue(place.takenAt), .integer(place.number),
                .integer(Int64(limit)),
            ]
        ) { row in
            let point = try Path.Point(row)
            return (point, PointKey(takenAt: point.takenAt, number: try row.integer(3)))
        }
    }
}

extension Path.Point {
    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        guard
            let coordinate = Coordinate(
                latitudeE7: try row.integer(0), longitudeE7: try row.integer(1))
        else { throw StoreError(.decode, reason: "a point lies outside the earth") }
        self.init(
            coordinate: coordinate, takenAt: Timestamp(milliseconds: try row.integer(2)))
    }
}

extension PathRow {
    init(_ row: any SQLRow) throws(StoreError) {
        user = UserID(rawValue: try row.integer(0))
        number = try row.integer(1)
        mode = Path.Mode(rawValue: try row.text(2)) ?? .journey
        startedAt = Timestamp(milliseconds: try row.integer(3))
        count = try row.optionalInteger(4).map { Int($0) }
    }
}
