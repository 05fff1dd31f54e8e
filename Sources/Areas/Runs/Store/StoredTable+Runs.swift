internal import Contract
internal import Tracking

extension StoredTable {
    static let runs = [
        StoredTable(
            "run_results", .exported("run-result"),
            items: { transaction, user, last, limit in
                try transaction.runResults(of: user, after: last, limit: limit).map {
                    ItemRow(
                        place: $0.run.text,
                        item: .runResult(
                            RunnerState(
                                bib: $0.bib, name: $0.name, runner: $0.runner, heartRate: nil,
                                isOver: true, clock: $0.clock), in: $0.run))
                }
            },
            remainsOfUser: StoredTable.remainsInRuns("run_results")),
        StoredTable(
            "run_entries", .exported("run-entry"),
            items: { transaction, user, last, limit in
                try transaction.runEntries(of: user, after: last, limit: limit).map {
                    ItemRow(
                        place: $0.run.text,
                        item: .runEntry(
                            in: $0.run, bib: $0.bib, name: $0.name,
                            showsHeartRate: $0.showsHeartRate, at: $0.at))
                }
            },
            remainsOfUser: StoredTable.remainsInRuns("run_entries")),
        StoredTable(
            "runs", .exported("run"),
            items: { transaction, user, last, limit in
                try transaction.runs(of: user, after: last, limit: limit).map {
                    ItemRow(
                        place: $0.run.id.text,
                        item: .run($0.run, $0.status, createdAt: $0.createdAt))
                }
            },
            remainsOfUser: .rows(
                """
                DELETE FROM runs WHERE id IN
                    (SELECT id FROM runs WHERE organiser_id = ? LIMIT ?)
                """)),
        StoredTable(
            "organisers", .exported("organiser"),
            items: { transaction, user, last, _ in
                guard last.isEmpty else { return [] }
                return try transaction.all(
                    "SELECT name, terms, accepted_at_ms FROM organisers WHERE user_id = ?",
                    [SQLValue(user)]
                ) { row in
                    ItemRow(
                        place: "1",
                        item: .organiser(
                            name: try row.text(0), terms: try row.text(1),
                            at: Timestamp(milliseconds: try row.integer(2))))
                }
            },
            remainsOfUser: .rows(
                """
                DELETE FROM organisers WHERE user_id IN
                    (SELECT user_id FROM organisers WHERE user_id = ? LIMIT ?)
                """)),
    ]

    /// Includes those in an organiser's runs, whose rows are then deleted.
    private static func remainsInRuns(_ table: String) -> Remains {
        Remains { transaction, user, rest in
            for condition in [
                "e.user_id = ?", "e.run_id IN (SELECT id FROM runs WHERE organiser_id = ?)",
            ] where rest > 0 {
                rest -= try transaction.driver.executeCounted(
                    """
                    DELETE FROM \(table) WHERE (run_id, bib) IN
                        (SELECT e.run_id, e.bib FROM \(table) e WHERE \(condition) LIMIT ?)
                    """, [.integer(user), .integer(Int64(rest))])
            }
        }
    }
}
