public import Contract
public import Tracking

/// Unused tokens, and devices removed by their owners.
extension Transaction {
    /// Records when the device last reported.
    public func noteSeen(_ device: DeviceID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE devices SET last_seen_ms = ?, unused_since_ms = ? WHERE id = ?",
            [SQLValue(now), SQLValue(now), SQLValue(device)])
    }

    /// Counts the device's token as unused from now on; restores a removed device.
    public func beginUse(_ device: DeviceID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE devices SET unused_since_ms = ?, removed_at_ms = NULL WHERE id = ?",
            [SQLValue(now), SQLValue(device)])
    }

    /// Counts tokens without a date as unused from now on.
    public func beginUseOfUndated(at now: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            UPDATE devices SET unused_since_ms = ? WHERE id IN
                (SELECT id FROM devices
                WHERE token_hash IS NOT NULL AND unused_since_ms IS NULL LIMIT ?)
            """, [SQLValue(now), .integer(Int64(limit))])
    }

    /// Returns the devices whose tokens have been unused since that time, the longest first.
    public func unusedTokens(since time: Timestamp, atMost limit: Int)
        throws(StoreError) -> [(device: DeviceID, user: UserID)]
    {
        try all(
            """
            SELECT id, user_id FROM devices
            WHERE token_hash IS NOT NULL AND unused_since_ms < ?
            ORDER BY unused_since_ms LIMIT ?
            """, [SQLValue(time), .integer(Int64(limit))]
        ) { row in (DeviceID(rawValue: try row.integer(0)), UserID(rawValue: try row.integer(1))) }
    }

    // MARK: Removed devices

    /// Replaces the device's name, which becomes available for another device.
    public func removeDevice(_ device: DeviceID, now name: Name, at time: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            "UPDATE devices SET name = ?, removed_at_ms = ? WHERE id = ?",
            [.text(name.text), SQLValue(time), SQLValue(device)])
    }

    /// Deletes a device without fixes.
    public func deleteDevice(_ device: DeviceID) throws(StoreError) {
        try driver.execute("DELETE FROM replies WHERE device_id = ?", [SQLValue(device)])
        try driver.execute("DELETE FROM devices WHERE id = ?", [SQLValue(device)])
    }

    /// Returns the devices removed before that time, the earliest first.
    public func devicesRemoved(before time: Timestamp, atMost limit: Int)
        throws(StoreError) -> [(device: DeviceID, user: UserID)]
    {
        try all(
            """
            SELECT id, user_id FROM devices WHERE removed_at_ms < ? ORDER BY removed_at_ms LIMIT ?
            """, [SQLValue(time), .integer(Int64(limit))]
        ) { row in (DeviceID(rawValue: try row.integer(0)), UserID(rawValue: try row.integer(1))) }
    }

    public func hasFix(_ fix: FixID) throws(StoreError) -> Bool {
        try one("SELECT 1 FROM fixes WHERE id = ?", [SQLValue(fix)]) { try $0.integer(0) } != nil
    }
}
