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
        try rows(GeofenceRow.record, rest, values)
    }

    public func save(_ fence: GeofenceRow) throws(StoreError) {
        try save(fence, GeofenceRow.record)
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
        try rows(GeofenceRuleRow.record, rest, values)
    }

    public func save(_ rule: GeofenceRuleRow) throws(StoreError) {
        try save(rule, GeofenceRuleRow.record)
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
        try rows(
            GeofenceConsentRow.record, "\(condition) ORDER BY rule_id, user_id", values)
    }

    public func save(_ consent: GeofenceConsentRow) throws(StoreError) {
        try save(consent, GeofenceConsentRow.record)
    }

    public func deleteGeofenceConsent(of user: UserID, to rule: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM geofence_consents WHERE rule_id = ? AND user_id = ?",
            [.text(rule.description), SQLValue(user)])
    }

    // MARK: Presences

    public func geofencePresences() throws(StoreError) -> [(
        geofence: UUIDv7, user: UserID, presence: GeofencePresence
    )] {
        try rows(
            GeofencePresenceRow.record, "WHERE user_id NOT IN \(Transaction.erasedUsers)"
        ).map { ($0.geofence, $0.user, $0.presence) }
    }

    public func save(_ presence: GeofencePresence, of user: UserID, at geofence: UUIDv7)
        throws(StoreError)
    {
        try save(
            GeofencePresenceRow(geofence: geofence, user: user, presence: presence),
            GeofencePresenceRow.record)
    }

    public func deleteGeofencePresence(of user: UserID, at geofence: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM geofence_presences WHERE geofence_id = ? AND user_id = ?",
            [.text(geofence.description), SQLValue(user)])
    }
}
