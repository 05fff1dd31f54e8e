internal import Tracking

extension StoredTable {
    static let cohorts = [
        // The meaning of the bits is deleted with the person; the bits stay (decision 46).
        StoredTable(
            "cohort_people", .kept,
            hide: { transaction, user, _ in
                try transaction.driver.execute(
                    "DELETE FROM cohort_people WHERE user_id = ?", [SQLValue(user)])
            }),
        StoredTable(
            "cohort_days", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM cohort_days WHERE (user_id, day) IN
                    (SELECT user_id, day FROM cohort_days WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable(
            "cohort_answers", .kept,
            remainsOfUser: .rows(
                """
                UPDATE cohort_answers SET requester_id = NULL WHERE id IN
                    (SELECT id FROM cohort_answers WHERE requester_id = ? LIMIT ?)
                """)),
        StoredTable(
            "cohort_subscriptions", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM cohort_subscriptions WHERE id IN
                    (SELECT id FROM cohort_subscriptions WHERE service_id = ? LIMIT ?)
                """)),
        StoredTable(
            "cohort_refusals", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM cohort_refusals WHERE id IN
                    (SELECT id FROM cohort_refusals WHERE requester_id = ? LIMIT ?)
                """)),
        StoredTable("cohort_contributors", .impersonal),
        StoredTable("cohort_progress", .impersonal),
    ]
}
