internal import Contract
public import Tracking

extension Transaction {
    // MARK: Places

    public func geofences() throws(StoreError) -> [GeofenceRow] {
        try geofences(
            """
            WHERE (user_id IS NULL OR user_id NOT IN \(Transaction.erasedUsers))
                AND (group_id IS NULL OR group_id NOT IN \(Transaction.closedGroups))
            ORDER BY id
            """, [])
    }

    func geofences(_ rest: String, _ values: [SQLValue]) throws(StoreError) -> [GeofenceRow] {
        try all("SELECT \(GeofenceRow.columns) FROM geofences \(rest)", values) {
            row throws(StoreError) in try GeofenceRow(row)
        }
    }

    public func save(_ fence: GeofenceRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO geofences (\(GeofenceRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET source = excluded.source, name = excluded.name, kind = excluded.kind,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7,
                radius_m = excluded.radius_m
            """, fence.values)
    }

    /// Deletes the place with its rules.
    public func deleteGeofence(_ id: UUIDv7) throws(StoreError) {
        for statement in [
            """
            DELETE FROM geofence_consents WHERE rule_id IN
                (SELECT id FROM geofence_rules WHERE geofence_id = ?)
            """,
            "DELETE FROM geofence_rules WHERE geofence_id = ?",
            "DELETE FROM geofence_presences WHERE geofence_id = ?",
            "DELETE FROM geofences WHERE id = ?",
        ] {
            try driver.execute(statement, [.text(id.description)])
        }
    }

    // MARK: Rules

    public func geofenceRules() throws(StoreError) -> [GeofenceRuleRow] {
        try geofenceRules(
            "WHERE user_id NOT IN \(Transaction.erasedUsers) ORDER BY id", [])
    }

    func geofenceRules(_ rest: String, _ values: [SQLValue])
        throws(StoreError) -> [GeofenceRuleRow]
    {
        try all("SELECT \(GeofenceRuleRow.columns) FROM geofence_rules \(rest)", values) {
            row throws(StoreError) in try GeofenceRuleRow(row)
        }
    }

    public func save(_ rule: GeofenceRuleRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO geofence_rules (\(GeofenceRuleRow.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET due_at_ms = excluded.due_at_ms,
                known_name = excluded.known_name,
                known_latitude_e7 = excluded.known_latitude_e7,
                known_longitude_e7 = excluded.known_longitude_e7,
                known_radius_m = excluded.known_radius_m
            """, rule.values)
    }

    public func deleteGeofenceRule(_ id: UUIDv7) throws(StoreError) {
        for statement in [
            "DELETE FROM geofence_consents WHERE rule_id = ?",
            "DELETE FROM geofence_rules WHERE id = ?",
        ] {
            try driver.execute(statement, [.text(id.description)])
        }
    }

    // MARK: Consents

    public func geofenceConsents() throws(StoreError) -> [GeofenceConsentRow] {
        try geofenceConsents("WHERE user_id NOT IN \(Transaction.erasedUsers)", [])
    }

    func geofenceConsents(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [GeofenceConsentRow]
    {
        try all(
            """
            SELECT rule_id, user_id, agrees, answered_at_ms FROM geofence_consents \(condition)
            ORDER BY rule_id, user_id
            """, values
        ) { row throws(StoreError) in
            guard let rule = UUIDv7(try row.text(0)) else { throw .damagedDocument }
            return GeofenceConsentRow(
                rule: rule, user: UserID(rawValue: try row.integer(1)),
                agrees: try row.optionalInteger(2).map { $0 != 0 },
                answeredAt: try row.optionalTime(3))
        }
    }

    public func save(_ consent: GeofenceConsentRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO geofence_consents (rule_id, user_id, agrees, answered_at_ms)
            VALUES (?, ?, ?, ?)
            ON CONFLICT (rule_id, user_id) DO UPDATE SET agrees = excluded.agrees,
                answered_at_ms = excluded.answered_at_ms
            """,
            [
                .text(consent.rule.description), SQLValue(consent.user),
                consent.agrees.map { .integer($0 ? 1 : 0) } ?? .null,
                consent.answeredAt.map { SQLValue($0) } ?? .null,
            ])
    }

    public func deleteGeofenceConsent(of user: UserID, to rule: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM geofence_consents WHERE rule_id = ? AND user_id = ?",
            [.text(rule.description), SQLValue(user)])
    }

    // MARK: Who is where

    public func geofencePresences() throws(StoreError) -> [(
        geofence: UUIDv7, user: UserID, presence: GeofencePresence
    )] {
        try all(
            """
            SELECT geofence_id, user_id, side, since_ms, candidate, candidate_since_ms, is_clear
            FROM geofence_presences WHERE user_id NOT IN \(Transaction.erasedUsers)
            """, []
        ) { row throws(StoreError) in
            guard let geofence = UUIDv7(try row.text(0)) else { throw .damagedDocument }
            func side(_ text: String?) throws(StoreError) -> Geofence.Side? {
                guard let text else { return nil }
                guard let side = Geofence.Side(rawValue: text) else { throw .damagedDocument }
                return side
            }
            return (
                geofence, UserID(rawValue: try row.integer(1)),
                GeofencePresence(
                    side: try side(try row.optionalText(2)), since: try row.optionalTime(3),
                    candidate: try side(try row.optionalText(4)),
                    candidateSince: try row.optionalTime(5), isClear: try row.integer(6) != 0)
            )
        }
    }

    public func save(_ presence: GeofencePresence, of user: UserID, at geofence: UUIDv7)
        throws(StoreError)
    {
        try driver.execute(
            """
            INSERT INTO geofence_presences
                (geofence_id, user_id, side, since_ms, candidate, candidate_since_ms, is_clear)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (geofence_id, user_id) DO UPDATE SET side = excluded.side,
                since_ms = excluded.since_ms, candidate = excluded.candidate,
                candidate_since_ms = excluded.candidate_since_ms, is_clear = excluded.is_clear
            """,
            [
                .text(geofence.description), SQLValue(user), SQLValue(presence.side?.rawValue),
                presence.since.map { SQLValue($0) } ?? .null,
                SQLValue(presence.candidate?.rawValue),
                presence.candidateSince.map { SQLValue($0) } ?? .null,
                .integer(presence.isClear ? 1 : 0),
            ])
    }

    public func deleteGeofencePresence(of user: UserID, at geofence: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM geofence_presences WHERE geofence_id = ? AND user_id = ?",
            [.text(geofence.description), SQLValue(user)])
    }
}
