public import Tracking

extension Transaction {
    /// Fills the store with fixes of devices 1…`devices` in turn, to measure the cost of a long
    /// history.
    public func inventFixes(_ count: Int, devices: Int, before now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            """
            INSERT INTO fixes (id, device_id, previous_id, taken_at_ms, received_at_ms,
                latitude_e7, longitude_e7, accuracy, speed, heading, battery)
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1
            )
            SELECT n, (n - 1) % ?2 + 1, CASE WHEN n > ?2 THEN n - ?2 END,
                ?3 + n / ?2 * 1000, ?3 + n / ?2 * 1000,
                460000000 + n % 1000000, 145000000 + n % 900000, 8.5, 1.25, 270.5, 80
            FROM numbers
            """,
            [
                .integer(Int64(count)), .integer(Int64(devices)),
                .integer(now.milliseconds - 86_400_000 - Int64(count / devices) * 1000),
            ])
        try driver.execute(
            """
            INSERT INTO fix_runs (device_id, last_fix_id, count, earliest_taken_at_ms,
                latest_taken_at_ms)
            SELECT device_id, id, ?2, taken_at_ms - (?2 - 1) * 1000, taken_at_ms FROM fixes
            WHERE ((id - 1) / ?1) % ?2 = ?2 - 1
            """, [.integer(Int64(devices)), .integer(Int64(DeviceLog.chunkLength))])
    }

    /// Fills a path with points, one second apart from its start, for measurements.
    ///
    /// - Returns: the points of its last segment.
    public func inventPath(_ path: Path, of user: UserID, points: Int)
        throws(StoreError) -> [Path.Point]
    {
        guard points > 0 else { return [] }
        try driver.execute(
            """
            INSERT INTO path_points (user_id, number, taken_at_ms, fix_id, latitude_e7,
                longitude_e7)
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1
            )
            SELECT ?2, ?3, ?4 + n * 1000, n, 461000000 + n % 1000000, 145000000 + n % 900000
            FROM numbers
            """,
            [
                .integer(Int64(points)), SQLValue(user), .integer(path.number),
                SQLValue(path.startedAt),
            ])
        let inLastSegment = (points - 1) % Path.segmentLength + 1
        return try lastPathPoints(path.number, of: user, count: inLastSegment)
    }
}
