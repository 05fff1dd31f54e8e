public import Tracking

/// A fix as stored.
public struct FixRow: Sendable {
    public let id: FixID
    public let device: DeviceID
    public let fix: Fix
    /// Whether the position was deleted at the person's request: only the fix's times are left.
    public private(set) var isForgotten = false

    public init(id: FixID, device: DeviceID, fix: Fix) {
        self.id = id
        self.device = device
        self.fix = fix
    }
}

extension Transaction {
    static let columns = """
        id, device_id, taken_at_ms, received_at_ms, latitude_e7, longitude_e7, accuracy,
        altitude, altitude_accuracy, heading, speed, battery, seq
        """

    /// - Parameters:
    ///   - id: greater than all previous ids.
    ///   - previous: the device's fix before this one.
    public func insert(
        _ fix: Fix, as id: FixID, of device: DeviceID, after previous: FixID?
    ) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO fixes (\(Transaction.columns), previous_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(id), SQLValue(device), SQLValue(fix.takenAt), SQLValue(fix.receivedAt),
                .integer(Int64(fix.coordinate.latitudeE7)),
                .integer(Int64(fix.coordinate.longitudeE7)),
                SQLValue(fix.accuracy), SQLValue(fix.altitude), SQLValue(fix.altitudeAccuracy),
                SQLValue(fix.heading), SQLValue(fix.speed), SQLValue(fix.battery),
                SQLValue(fix.sequence), previous.map { SQLValue($0) } ?? .null,
            ])
    }

    /// The greatest id that may still be referenced, even if its fix was deleted; 0 if there has
    /// been none.
    public func lastFix() throws(StoreError) -> FixID {
        try identifier(
            """
            SELECT COALESCE(MAX(id), 0) FROM (
                SELECT MAX(id) AS id FROM fixes
                UNION ALL SELECT MAX(through_fix_id) FROM trackers
            ) AS known
            """, [])
    }

    /// The smallest id; nil if there is no fix.
    public func firstFix() throws(StoreError) -> FixID? {
        try one("SELECT MIN(id) FROM fixes") { row in
            row.isNull(0) ? nil : FixID(rawValue: try row.integer(0))
        } ?? nil
    }

    /// When the newest fix was received; nil if there is none.
    public func newestReception() throws(StoreError) -> Timestamp? {
        try one("SELECT received_at_ms FROM fixes ORDER BY id DESC LIMIT 1") { row in
            Timestamp(milliseconds: try row.integer(0))
        }
    }

    /// When the oldest fix was received; nil if there is none.
    public func oldestReception() throws(StoreError) -> Timestamp? {
        try one("SELECT received_at_ms FROM fixes WHERE id = (SELECT MIN(id) FROM fixes)") { row in
            Timestamp(milliseconds: try row.integer(0))
        }
    }

    /// In order of arrival.
    public func fixes(after id: FixID, _ body: (FixRow) throws -> Void) throws(StoreError) {
        try each(
            "SELECT \(Transaction.columns) FROM fixes WHERE id > ? ORDER BY id", [SQLValue(id)]
        ) { try body(try FixRow($0)) }
    }

    /// The last fixes of a device, newest first.
    public func fixes(upTo last: FixID, count: Int) throws(StoreError) -> [FixRow] {
        try fixes(in: [(last, count)])
    }

    /// The fixes of some of a device's chunks, newest first.
    public func fixes(in chunks: [(last: FixID, count: Int)]) throws(StoreError) -> [FixRow] {
        guard let first = chunks.first else { return [] }
        let list = SQLList(
            rows: chunks.map { [SQLValue($0.last), .integer(Int64($0.count))] },
            filledWith: [SQLValue(first.last), .integer(1)])
        return try all(
            """
            WITH RECURSIVE chain (id, previous_id, rest) AS (
                SELECT f.id, f.previous_id, s.column2
                FROM \(list.places) AS s JOIN fixes f ON f.id = s.column1
                UNION ALL
                SELECT f.id, f.previous_id, c.rest - 1
                FROM chain c JOIN fixes f ON f.id = c.previous_id WHERE c.rest > 1
            )
            SELECT \(Transaction.columns) FROM fixes WHERE id IN (SELECT id FROM chain)
            ORDER BY id DESC
            """, list.values
        ) { try FixRow($0) }
    }

    /// Fixes of a device, newest first.
    ///
    /// - Parameters:
    ///   - last: the device's last fix.
    ///   - id: only fixes before this one; nil for the newest.
    public func fixes(upTo last: FixID, before id: FixID?, count: Int)
        throws(StoreError) -> [FixRow]
    {
        guard let id, id <= last else { return try fixes(upTo: last, count: count) }
        // Begin at the chunk that contains it, or the next one.
        let start = try one(
            """
            SELECT last_fix_id FROM fix_runs
            WHERE device_id = (SELECT device_id FROM fixes WHERE id = ?) AND last_fix_id >= ?
            ORDER BY last_fix_id LIMIT 1
            """, [SQLValue(last), SQLValue(id)]
        ) { FixID(rawValue: try $0.integer(0)) }
        let rows = try fixes(upTo: start ?? last, count: count + DeviceLog.chunkLength)
        return Array(rows.drop { $0.id >= id }.prefix(count))
    }

    /// Does the same without fixes that are deleted, or within these stretches.
    ///
    /// - Parameter hidden: in ascending order.
    /// - Returns: `through`: the last fix that was checked; nil if there are no more, or the count
    ///   was reached.
    public func shownFixes(
        upTo last: FixID, before id: FixID?, count: Int, hiding hidden: [ClosedRange<FixID>]
    ) throws(StoreError) -> (rows: [FixRow], through: FixID?) {
        var (shown, place, looked, isSkipping) = ([FixRow](), id, 0, false)
        while looked < Transaction.looksForShown {
            let limit = isSkipping ? 1 : count - shown.count
            let rows = try fixes(upTo: last, before: place, count: limit)
            guard let oldest = rows.last else { return (shown, nil) }
            looked += rows.count + DeviceLog.chunkLength
            let found = rows.filter { row in
                !row.isForgotten && !hidden.contains { $0.contains(row.id) }
            }
            shown += found
            if shown.count >= count { return (shown, nil) }
            // Skip the rest of the stretch.
            let stretch = hidden.last { $0.contains(oldest.id) }
            isSkipping = stretch != nil
            place = stretch?.lowerBound ?? oldest.id
            if rows.count < limit { return (shown, nil) }
        }
        return (shown, place)
    }

    private static let looksForShown = 5_000

    // MARK: Chunks

    public func insert(_ chunk: DeviceLog.Chunk) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO fix_runs (device_id, last_fix_id, count, earliest_taken_at_ms,
                latest_taken_at_ms)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                SQLValue(chunk.device), SQLValue(chunk.last), .integer(Int64(chunk.count)),
                SQLValue(chunk.earliest), SQLValue(chunk.latest),
            ])
    }

    /// The device's chunks with fixes in that period, the newest first.
    ///
    /// - Parameter fix: only chunks that end before it; nil for all.
    public func chunks(
        of device: DeviceID, before fix: Int64?, from: Timestamp, to: Timestamp, limit: Int
    ) throws(StoreError) -> [(last: FixID, count: Int)] {
        try all(
            """
            SELECT last_fix_id, count FROM fix_runs
            WHERE device_id = ? AND last_fix_id < ? AND latest_taken_at_ms >= ?
                AND earliest_taken_at_ms < ?
            ORDER BY last_fix_id DESC LIMIT ?
            """,
            [
                SQLValue(device), .integer(fix ?? .max), SQLValue(from), SQLValue(to),
                .integer(Int64(limit)),
            ]
        ) { row in (FixID(rawValue: try row.integer(0)), Int(try row.integer(1))) }
    }

    /// The earliest possible time of a fix taken at that time or later; nil if no chunk has one.
    public func nextChunk(of device: DeviceID, from time: Timestamp) throws(StoreError)
        -> Timestamp?
    {
        try one(
            """
            SELECT MIN(CASE WHEN earliest_taken_at_ms > ?1 THEN earliest_taken_at_ms ELSE ?1 END)
            FROM fix_runs WHERE device_id = ?2 AND latest_taken_at_ms >= ?1
            """, [SQLValue(time), SQLValue(device)]
        ) { row in row.isNull(0) ? nil : Timestamp(milliseconds: try row.integer(0)) } ?? nil
    }

    /// Whether one of the device's chunks, or the incomplete one, has a fix taken at that moment.
    public func knows(_ takenAt: Timestamp, _ log: DeviceLog) throws(StoreError) -> Bool {
        try fix(takenAt, log) != nil
    }

    /// Deletes everything but the times of the device's fix taken at that moment, if there is one.
    public func forgetFix(_ takenAt: Timestamp, _ log: DeviceLog) throws(StoreError) {
        if let id = try fix(takenAt, log) { try forgetFixes([id]) }
    }

    /// Deletes everything but the times of fixes.
    public func forgetFixes(_ ids: [FixID]) throws(StoreError) {
        guard !ids.isEmpty else { return }
        let list = SQLList(ids.map { SQLValue($0) })
        try driver.execute(
            """
            UPDATE fixes SET latitude_e7 = NULL, longitude_e7 = NULL, accuracy = NULL,
                altitude = NULL, altitude_accuracy = NULL, heading = NULL, speed = NULL,
                battery = NULL
            WHERE id IN \(list.places)
            """, list.values)
    }

    private func fix(_ takenAt: Timestamp, _ log: DeviceLog) throws(StoreError) -> FixID? {
        if let chunk = log.openChunk, chunk.earliest <= takenAt, takenAt <= chunk.latest,
            let row = try fixes(upTo: chunk.last, count: chunk.count).first(where: {
                $0.fix.takenAt == takenAt
            })
        {
            return row.id
        }
        return try fixInRuns(takenAt, of: log.device)
    }

    private func fixInRuns(_ takenAt: Timestamp, of device: DeviceID)
        throws(StoreError) -> FixID?
    {
        let chunks = try all(
            """
            SELECT last_fix_id, count FROM fix_runs
            WHERE device_id = ? AND earliest_taken_at_ms <= ? AND latest_taken_at_ms >= ?
            ORDER BY last_fix_id
            """,
            [SQLValue(device), SQLValue(takenAt), SQLValue(takenAt)]
        ) { row in (FixID(rawValue: try row.integer(0)), Int(try row.integer(1))) }
        for (last, count) in chunks {
            let rows = try fixes(upTo: last, count: count)
            if let row = rows.first(where: { $0.fix.takenAt == takenAt }) { return row.id }
        }
        return nil
    }

    // MARK: Retention

    /// Deletes fixes that arrived before a moment, oldest first.
    ///
    /// - Parameter limit: the number of fix ids to check, some of which may be gone.
    /// - Returns: whether more are left.
    public func deleteFixes(receivedBefore time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Bool
    {
        try driver.execute(
            """
            DELETE FROM fixes WHERE received_at_ms < ?
                AND id < (SELECT COALESCE(MIN(id), 0) FROM fixes) + ?
            """,
            [SQLValue(time), .integer(Int64(limit))])
        let first = try one(
            "SELECT id, received_at_ms FROM fixes WHERE id = (SELECT MIN(id) FROM fixes)"
        ) { row in
            (id: try row.integer(0), receivedAt: Timestamp(milliseconds: try row.integer(1)))
        }
        let chunks = try driver.executeCounted(
            """
            DELETE FROM fix_runs WHERE (device_id, last_fix_id) IN (
                SELECT device_id, last_fix_id FROM fix_runs WHERE last_fix_id < ?
                ORDER BY last_fix_id LIMIT ?)
            """, [.integer(first?.id ?? .max), .integer(Int64(limit))])
        return chunks >= limit || first.map { $0.receivedAt < time } ?? false
    }
}

extension FixRow {
    init(_ row: any SQLRow) throws(StoreError) {
        isForgotten = row.isNull(4)
        guard
            let coordinate = Coordinate(
                latitudeE7: try row.optionalInteger(4) ?? 0,
                longitudeE7: try row.optionalInteger(5) ?? 0)
        else { throw StoreError(.decode, reason: "a fix lies outside the earth") }
        id = FixID(rawValue: try row.integer(0))
        device = DeviceID(rawValue: try row.integer(1))
        fix = Fix(
            coordinate: coordinate, takenAt: Timestamp(milliseconds: try row.integer(2)),
            receivedAt: Timestamp(milliseconds: try row.integer(3)),
            accuracy: try row.optionalReal(6), altitude: try row.optionalReal(7),
            altitudeAccuracy: try row.optionalReal(8), heading: try row.optionalReal(9),
            speed: try row.optionalReal(10), battery: try row.optionalReal(11),
            sequence: try row.optionalInteger(12))
    }
}
