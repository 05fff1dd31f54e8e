internal import Tracking

extension StoredTable {
    static let emergencies = [
        StoredTable(
            "alerts", .exported("alert"),
            count: { transaction, user, counts in
                counts.alerts = try transaction.count(
                    "SELECT COUNT(*) FROM alerts WHERE user_id = ?", [SQLValue(user)])
            },
            remainsOfUser: Remains { transaction, user, rest in
                try transaction.eraseAlerts("user_id", user, &rest)
            },
            remainsOfGroup: Remains { transaction, group, rest in
                try transaction.eraseAlerts("group_id", group, &rest)
            }),
        StoredTable(
            "acknowledgements", .exported("acknowledgement"),
            count: { transaction, user, counts in
                counts.acknowledgements = try transaction.count(
                    "SELECT COUNT(*) FROM acknowledgements WHERE user_id = ?", [SQLValue(user)])
            },
            remainsOfUser: .rows(
                """
                DELETE FROM acknowledgements WHERE (alert_id, user_id) IN
                    (SELECT alert_id, user_id FROM acknowledgements WHERE user_id = ? LIMIT ?)
                """)),
    ]
}
