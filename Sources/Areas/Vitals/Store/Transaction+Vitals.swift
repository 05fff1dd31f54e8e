public import Contract
public import Sealing
public import Tracking

/// A stored sample.
public struct VitalsRow: Sendable {
    public let id: Int64
    public let user: UserID
    public let device: DeviceID
    public let takenAt: Timestamp
    public let receivedAt: Timestamp
    public let sequence: Int64?
    public let kinds: VitalSigns.Kinds
    public let sealed: SealingKeys.Sealed

    public init(
        id: Int64, user: UserID, device: DeviceID, _ vitals: VitalSigns,
        _ sealed: SealingKeys.Sealed
    ) {
        (self.id, self.user, self.device, self.sealed) = (id, user, device, sealed)
        (takenAt, receivedAt) = (vitals.takenAt, vitals.receivedAt)
        (sequence, kinds) = (vitals.sequence, vitals.kinds)
    }

    init(_ row: any SQLRow) throws(StoreError) {
        id = try row.integer(0)
        user = UserID(rawValue: try row.integer(1))
        device = DeviceID(rawValue: try row.integer(2))
        takenAt = Timestamp(milliseconds: try row.integer(3))
        receivedAt = Timestamp(milliseconds: try row.integer(4))
        sequence = try row.optionalInteger(5)
        kinds = VitalSigns.Kinds(rawValue: try row.integer(6))
        sealed = SealingKeys.Sealed(key: try row.integer(7), bytes: try row.blob(8))
    }

    static let columns = """
        id, user_id, device_id, taken_at_ms, received_at_ms, seq, kinds, key_id, sealed
        """

    /// Returns the encryption context: content copied to another row does not open.
    public static func context(_ device: DeviceID, _ takenAt: Timestamp) -> String {
        "vitals \(device.rawValue) \(takenAt.milliseconds)"
    }

    /// - Returns: nil if no key opens it.
    public func opened(with keys: SealingKeys) -> VitalSigns? {
        guard let content = keys.open(sealed, as: VitalsRow.context(device, takenAt)) else {
            return nil
        }
        return VitalSigns(
            takenAt: takenAt, receivedAt: receivedAt, sequence: sequence, content: content)
    }

    public var place: VitalsPlace { VitalsPlace(takenAt: takenAt, id: id) }
}

/// A range deleted by a user, as long as there may be rows of it.
public struct VitalsDeletion: Hashable, Sendable {
    public let id: Int64
    public let user: UserID
}

extension Transaction {
    public func insert(_ row: VitalsRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO vitals (\(VitalsRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(row.id), SQLValue(row.user), SQLValue(row.device), SQLValue(row.takenAt),
                SQLValue(row.receivedAt), SQLValue(row.sequence), .integer(row.kinds.rawValue),
                .integer(row.sealed.key), .blob(row.sealed.bytes),
            ])
    }

    /// For a row `v` of `vitals`: it has not been deleted by a user.
    static let isNotDeleted = """
        NOT EXISTS (SELECT 1 FROM vitals_deletions d WHERE d.user_id = v.user_id
            AND v.taken_at_ms >= d.from_ms AND v.taken_at_ms < d.to_ms AND v.id < d.below_id)
        """

    /// Returns the kinds in the device's samples of that moment.
    public func kinds(of device: DeviceID, at takenAt: Timestamp) throws(StoreError)
        -> VitalSigns.Kinds
    {
        try all(
            """
            SELECT kinds FROM vitals v WHERE device_id = ? AND taken_at_ms = ?
                AND \(Transaction.isNotDeleted)
            """,
            [SQLValue(device), SQLValue(takenAt)]
        ) { VitalSigns.Kinds(rawValue: try $0.integer(0)) }
        .reduce(into: VitalSigns.Kinds()) { $0.formUnion($1) }
    }

    /// Returns the greatest row number so far, as far as it matters; 0 if there was none.
    public func lastVitals() throws(StoreError) -> Int64 {
        try one(
            """
            SELECT COALESCE(MAX(id), 0) FROM (SELECT MAX(id) AS id FROM vitals
                UNION ALL SELECT MAX(below_id) - 1 FROM vitals_deletions) AS known
            """
        ) { try $0.integer(0) } ?? 0
    }

    /// Returns a user's samples, the newest first, without those being deleted.
    ///
    /// - Parameters:
    ///   - from: the earliest time; nil for any.
    ///   - to: the time before which they were taken; nil for any.
    ///   - before: the position of the last one read.
    public func vitals(
        of user: UserID, from: Timestamp?, to: Timestamp?, before: VitalsPlace?, limit: Int
    ) throws(StoreError) -> [VitalsRow] {
        let last = before?.takenAt.milliseconds ?? .max
        return try all(
            """
            SELECT \(VitalsRow.columns) FROM vitals v
            WHERE user_id = ? AND taken_at_ms >= ? AND taken_at_ms < ? AND taken_at_ms <= ?
                AND (taken_at_ms < ? OR id < ?)
                AND \(Transaction.isNotDeleted)
            ORDER BY taken_at_ms DESC, id DESC LIMIT ?
            """,
            [
                SQLValue(user), .integer(from?.milliseconds ?? .min),
                .integer(to?.milliseconds ?? .max), .integer(last), .integer(last),
                .integer(before?.id ?? .max), .integer(Int64(limit)),
            ]
        ) { try VitalsRow($0) }
    }

    /// Returns a user's samples in the order of arrival, the newest first, without those being
    /// deleted.
    ///
    /// - Parameter id: the number of the last one read; nil for the newest.
    public func vitals(of user: UserID, arrivedBefore id: Int64?, limit: Int)
        throws(StoreError) -> [VitalsRow]
    {
        try all(
            """
            SELECT \(VitalsRow.columns) FROM vitals v
            WHERE user_id = ? AND id < ? AND \(Transaction.isNotDeleted)
            ORDER BY id DESC LIMIT ?
            """, [SQLValue(user), .integer(id ?? .max), .integer(Int64(limit))]
        ) { try VitalsRow($0) }
    }

    // MARK: Consent

    /// Returns the valid consents.
    public func vitalsConsents() throws(StoreError) -> [(user: UserID, consent: VitalsConsent)] {
        try all(
            """
            SELECT user_id, at_ms, version FROM vitals_consents
            WHERE ended_at_ms IS NULL AND user_id NOT IN \(Transaction.erasedUsers)
            """, []
        ) { row in
            (
                UserID(rawValue: try row.integer(0)),
                VitalsConsent(
                    at: Timestamp(milliseconds: try row.integer(1)),
                    version: try row.optionalText(2))
            )
        }
    }

    public func insert(_ consent: VitalsConsent, of user: UserID) throws(StoreError) {
        try endVitalsConsent(of: user, at: consent.at)
        try driver.execute(
            "INSERT INTO vitals_consents (user_id, at_ms, version) VALUES (?, ?, ?)",
            [SQLValue(user), SQLValue(consent.at), SQLValue(consent.version)])
    }

    public func endVitalsConsent(of user: UserID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE vitals_consents SET ended_at_ms = ? WHERE user_id = ? AND ended_at_ms IS NULL",
            [SQLValue(now), SQLValue(user)])
    }

    // MARK: Deletion

    /// Removes a time range from every answer; ``deleteVitals(atMost:)`` deletes it.
    ///
    /// - Parameters:
    ///   - from: nil for the beginning.
    ///   - to: nil for the end.
    ///   - id: only rows with lower numbers.
    public func noteVitalsDeletion(
        of user: UserID, from: Timestamp?, to: Timestamp?, below id: Int64
    ) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO vitals_deletions (user_id, from_ms, to_ms, below_id) VALUES (?, ?, ?, ?)
            """,
            [
                SQLValue(user), .integer(from?.milliseconds ?? .min),
                .integer(to?.milliseconds ?? .max), .integer(id),
            ])
    }

    public func isDeletingVitals() throws(StoreError) -> Bool {
        try one("SELECT id FROM vitals_deletions LIMIT 1") { try $0.integer(0) } != nil
    }

    /// Deletes a bounded part of the ranges deleted by users, the first range first.
    ///
    /// - Returns: whether there may be more.
    public func deleteVitals(atMost limit: Int) throws(StoreError) -> Bool {
        let first = try one("SELECT MIN(id) FROM vitals_deletions") { try $0.optionalInteger(0) }
        guard let deletion = first ?? nil else { return false }
        let count = try driver.executeCounted(
            """
            DELETE FROM vitals WHERE id IN (
                SELECT v.id FROM vitals_deletions d JOIN vitals v ON v.user_id = d.user_id
                WHERE d.id = ? AND v.taken_at_ms >= d.from_ms AND v.taken_at_ms < d.to_ms
                    AND v.id < d.below_id LIMIT ?)
            """, [.integer(deletion), .integer(Int64(limit))])
        if count < limit {
            try driver.execute("DELETE FROM vitals_deletions WHERE id = ?", [.integer(deletion)])
        }
        return true
    }

    /// Returns when a user's newest sample before a time was taken; nil if there is none.
    public func lastVitals(of user: UserID, before to: Timestamp?) throws(StoreError) -> Timestamp?
    {
        try one(
            "SELECT MAX(taken_at_ms) FROM vitals WHERE user_id = ? AND taken_at_ms < ?",
            [SQLValue(user), .integer(to?.milliseconds ?? .max)]
        ) { try $0.optionalTime(0) } ?? nil
    }

    /// Returns the ranges deleted by users; data of them that arrives later is not stored.
    public func deletedVitals() throws(StoreError) -> [(user: UserID, stretch: Range<Timestamp>)] {
        try all(
            """
            SELECT user_id, from_ms, to_ms FROM deleted_vitals
            WHERE from_ms < to_ms AND user_id NOT IN \(Transaction.erasedUsers)
            """
        ) { row in
            let from = Timestamp(milliseconds: try row.integer(1))
            let to = Timestamp(milliseconds: try row.integer(2))
            return (UserID(rawValue: try row.integer(0)), from..<max(from, to))
        }
    }

    /// Sets the ranges deleted by a user.
    public func setDeletedVitals(_ stretches: [Range<Timestamp>], of user: UserID)
        throws(StoreError)
    {
        try driver.execute("DELETE FROM deleted_vitals WHERE user_id = ?", [SQLValue(user)])
        try insertAll(
            "INSERT INTO deleted_vitals (user_id, from_ms, to_ms)",
            stretches.map {
                [SQLValue(user), SQLValue($0.lowerBound), SQLValue($0.upperBound)]
            })
    }

    /// Forgets ranges that ended before a moment: data that old is no longer accepted.
    public func forgetDeletedVitals(before time: Timestamp) throws(StoreError) {
        try driver.execute("DELETE FROM deleted_vitals WHERE to_ms < ?", [SQLValue(time)])
    }

    /// Deletes samples that arrived before a moment, oldest first.
    ///
    /// - Parameter limit: the number of ids to examine, some of which may be gone.
    /// - Returns: whether more are left.
    public func deleteVitals(receivedBefore time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Bool
    {
        try driver.execute(
            """
            DELETE FROM vitals WHERE received_at_ms < ?
                AND id < (SELECT COALESCE(MIN(id), 0) FROM vitals) + ?
            """, [SQLValue(time), .integer(Int64(limit))])
        let first = try one(
            "SELECT received_at_ms FROM vitals WHERE id = (SELECT MIN(id) FROM vitals)"
        ) { Timestamp(milliseconds: try $0.integer(0)) }
        return first.map { $0 < time } ?? false
    }

    // MARK: Keys

    /// Returns the number of the newest key used for a sample; 0 if there is none.
    public func newestKeyOfVitals() throws(StoreError) -> Int64 {
        try one("SELECT COALESCE(MAX(key_id), 0) FROM vitals") { try $0.integer(0) } ?? 0
    }

    /// Returns some samples that an older key opens, after a position.
    public func vitals(sealedBefore key: Int64, after id: Int64, limit: Int)
        throws(StoreError) -> [VitalsRow]
    {
        try all(
            """
            SELECT \(VitalsRow.columns) FROM vitals WHERE key_id < ? AND id > ?
            ORDER BY id LIMIT ?
            """, [.integer(key), .integer(id), .integer(Int64(limit))]
        ) { try VitalsRow($0) }
    }

    public func setSealed(_ sealed: SealingKeys.Sealed, ofVitals id: Int64) throws(StoreError) {
        try driver.execute(
            "UPDATE vitals SET key_id = ?, sealed = ? WHERE id = ?",
            [.integer(sealed.key), .blob(sealed.bytes), .integer(id)])
    }
}
