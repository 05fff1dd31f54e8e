/// One step of the schema. Steps are numbered and never change once released; a new one is added
/// instead.
struct Migration: Sendable {
    let number: Int64
    let statements: [String]

    static let all: [Migration] = [
        .first, .outboxPutAside, .waitingRequests, .paths, .retiredNames, .remains,
        .notices, .channels, .accounts, .invitations, .shareLinks, .passkeys, .forgottenPasswords,
        .quietHours, .vitals, .services, .cohorts, .history, .monitoring, .drills, .runs,
        .runResults, .directory, .placesAndReminders, .profiles, .observers,
        .tellingsAndKnownPlaces, .lockedOut, .lastNumbers,
    ]

    /// The number of the last step.
    static let newest = all.last?.number ?? 0
}

extension Transaction {
    /// Brings the schema up to date.
    ///
    /// - Throws: if the database was made by a newer version of Kith.
    func migrate(at now: Int64, by migrations: [Migration] = Migration.all) throws(StoreError) {
        if try !hasTable("migrations") {
            try driver.execute(
                """
                CREATE TABLE IF NOT EXISTS migrations (
                    number INTEGER PRIMARY KEY, applied_at_ms INTEGER NOT NULL
                ) STRICT
                """, [])
        }
        let applied = try schemaVersion()
        let newest = migrations.last?.number ?? 0
        guard applied <= newest else {
            throw .madeByNewerVersion(schema: applied, newest: newest)
        }
        for migration in migrations where migration.number > applied {
            for statement in migration.statements { try driver.execute(statement, []) }
            try driver.execute(
                "INSERT INTO migrations (number, applied_at_ms) VALUES (?, ?)",
                [.integer(migration.number), .integer(now)])
        }
    }

    func schemaVersion() throws(StoreError) -> Int64 {
        try one("SELECT COALESCE(MAX(number), 0) FROM migrations", []) { try $0.integer(0) } ?? 0
    }
}

extension StoreError {
    static func madeByNewerVersion(schema: Int64, newest: Int64) -> StoreError {
        StoreError(
            .migrate,
            reason: "it was made by a newer version of Kith (schema \(schema), "
                + "this one reads up to \(newest))")
    }
}
