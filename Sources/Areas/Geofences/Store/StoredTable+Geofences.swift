internal import Contract
internal import Tracking

extension StoredTable {
    static let geofences = [
        StoredTable(
            "geofence_presences", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM geofence_presences WHERE (geofence_id, user_id) IN
                    (SELECT geofence_id, user_id FROM geofence_presences WHERE user_id = ?
                    LIMIT ?)
                """)),
        StoredTable(
            "geofence_consents", .exported("geofence-consent"),
            items: { transaction, user, last, limit in
                try transaction.geofenceConsentItems(of: user, after: last, limit: limit)
            },
            remainsOfUser: .rows(
                """
                DELETE FROM geofence_consents WHERE (rule_id, user_id) IN
                    (SELECT rule_id, user_id FROM geofence_consents WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable(
            "geofence_rules", .exported("geofence-rule"),
            items: { transaction, user, last, limit in
                try transaction.geofenceRuleItems(of: user, after: last, limit: limit)
            },
            // A bounded number, which the bridge has already deleted with everything that depends
            // on it.
            remainsOfUser: .geofenceRules("user_id", "watched_id", "told_id"),
            remainsOfGroup: .geofenceRules("watched_group_id", "told_group_id")),
        StoredTable(
            "geofences", .exported("geofence"),
            items: { transaction, user, last, limit in
                try transaction.geofences(
                    """
                    WHERE user_id = ? AND group_id IS NULL AND id > ? ORDER BY id LIMIT ?
                    """, [SQLValue(user), .text(last), .integer(Int64(limit))]
                ).map {
                    ItemRow(
                        place: $0.place.id.description,
                        item: ExportItem("geofence", OwnPlace.payload, ($0.place, group: nil)))
                }
            },
            // A group's places stay, without their maker.
            hide: { transaction, user, _ in
                try transaction.driver.execute(
                    """
                    UPDATE geofences SET user_id = NULL
                    WHERE user_id = ? AND group_id IS NOT NULL
                    """, [SQLValue(user)])
            },
            remainsOfUser: .geofences("user_id"), remainsOfGroup: .geofences("group_id")),
    ]
}

extension StoredTable.Remains {
    /// Deletes rules with their consents.
    fileprivate static func geofenceRules(_ columns: String...) -> StoredTable.Remains {
        StoredTable.Remains { transaction, owner, rest in
            for column in columns where rest > 0 {
                let ids = try transaction.all(
                    "SELECT id FROM geofence_rules WHERE \(column) = ? LIMIT ?",
                    [.integer(owner), .integer(Int64(rest))]
                ) { try $0.text(0) }
                for id in ids {
                    rest -= try transaction.driver.executeCounted(
                        "DELETE FROM geofence_consents WHERE rule_id = ?", [.text(id)])
                    rest -= try transaction.driver.executeCounted(
                        "DELETE FROM geofence_rules WHERE id = ?", [.text(id)])
                }
            }
        }
    }

    /// Deletes places with everything that depends on them.
    fileprivate static func geofences(_ column: String) -> StoredTable.Remains {
        StoredTable.Remains { transaction, owner, rest in
            let ids = try transaction.all(
                "SELECT id FROM geofences WHERE \(column) = ? LIMIT ?",
                [.integer(owner), .integer(Int64(max(0, rest)))]
            ) { UUIDv7(try $0.text(0)) }
            for case let id? in ids {
                try transaction.deleteGeofence(id)
                rest -= 1
            }
        }
    }
}

extension Transaction {
    /// Returns rules that the user has made.
    fileprivate func geofenceRuleItems(of user: UserID, after last: String, limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        var items: [StoredTable.ItemRow] = []
        for row in try geofenceRules(
            "WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
            [SQLValue(user), .text(last), .integer(Int64(limit))])
        {
            items.append(
                StoredTable.ItemRow(
                    place: row.rule.id.description,
                    item: .geofenceRule(row.rule, at: try name(of: row.geofence))))
        }
        return items
    }

    /// Returns rules that notify others about the user, with the user's presences.
    fileprivate func geofenceConsentItems(of user: UserID, after last: String, limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        var items: [StoredTable.ItemRow] = []
        for consent in try geofenceConsents(
            "WHERE user_id = ? AND rule_id > ?", [SQLValue(user), .text(last)]
        ).prefix(limit) {
            let id = consent.rule.description
            guard let row = try geofenceRules("WHERE id = ?", [.text(id)]).first else { continue }
            let presence = try one(
                """
                SELECT side, since_ms FROM geofence_presences
                WHERE geofence_id = ? AND user_id = ?
                """, [.text(row.geofence.description), SQLValue(user)]
            ) { row in
                (
                    try row.optionalText(0).flatMap { Geofence.Side(rawValue: $0) },
                    try row.optionalTime(1)
                )
            }
            items.append(
                StoredTable.ItemRow(
                    place: id,
                    item: .geofenceConsent(
                        row.rule, at: try name(of: row.geofence), agrees: consent.agrees,
                        answeredAt: consent.answeredAt, side: presence?.0,
                        since: presence?.1)))
        }
        return items
    }

    private func name(of geofence: UUIDv7) throws(StoreError) -> String {
        try one(
            "SELECT name FROM geofences WHERE id = ?", [.text(geofence.description)]
        ) { try $0.text(0) } ?? ""
    }
}
