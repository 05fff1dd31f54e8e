extension Migration {
    /// Organisers, runs, and participants. A participant's number in `run_entries.bib` counts from
    /// 1 in each run, and is not reused. `status`: as published. `course`: coordinates in units of
    /// 10⁻⁷ degrees.
    static let runs = Migration(
        number: 21,
        statements: [
            """
            CREATE TABLE organisers (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                name TEXT NOT NULL,
                terms TEXT NOT NULL,
                accepted_at_ms INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE runs (
                id TEXT PRIMARY KEY,
                organiser_id INTEGER NOT NULL REFERENCES users (id),
                name TEXT NOT NULL,
                place TEXT NOT NULL,
                latitude_e7 INTEGER NOT NULL,
                longitude_e7 INTEGER NOT NULL,
                course TEXT NOT NULL,
                laps INTEGER NOT NULL,
                checkpoints TEXT NOT NULL,
                starts_at_ms INTEGER NOT NULL,
                closes_at_ms INTEGER NOT NULL,
                ends_at_ms INTEGER NOT NULL,
                maximum INTEGER,
                last_bib INTEGER NOT NULL,
                created_at_ms INTEGER NOT NULL,
                status TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX runs_of_organiser ON runs (organiser_id)",
            "CREATE INDEX runs_end ON runs (ends_at_ms)",
            "CREATE INDEX runs_open ON runs (id) WHERE status <> 'over'",
            """
            CREATE TABLE run_entries (
                run_id TEXT NOT NULL REFERENCES runs (id),
                bib INTEGER NOT NULL,
                user_id INTEGER NOT NULL REFERENCES users (id),
                name TEXT NOT NULL,
                shows_heart_rate INTEGER NOT NULL,
                at_ms INTEGER NOT NULL,
                PRIMARY KEY (run_id, bib)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE UNIQUE INDEX run_entries_of_user ON run_entries (user_id, run_id)",
        ])

    /// The results of participants.
    static let runResults = Migration(
        number: 22,
        statements: [
            // The elevations of the course's points, in metres.
            "ALTER TABLE runs ADD COLUMN elevations TEXT NOT NULL DEFAULT '[]'",
            // It can no longer change.
            "ALTER TABLE runs ADD COLUMN is_closed INTEGER NOT NULL DEFAULT 0",
            // The news in delivery to participants, followed by the last bib that received it.
            "ALTER TABLE runs ADD COLUMN news TEXT",
            "ALTER TABLE runs ADD COLUMN told_bib INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE runs ADD COLUMN is_reminded INTEGER NOT NULL DEFAULT 0",
            // The course and times that participants have agreed to; null for those of the run.
            "ALTER TABLE runs ADD COLUMN agreed_course TEXT",
            "ALTER TABLE runs ADD COLUMN agreed_starts_at_ms INTEGER",
            "ALTER TABLE runs ADD COLUMN agreed_ends_at_ms INTEGER",
            "UPDATE runs SET is_closed = 1 WHERE status = 'over'",
            "DROP INDEX runs_open",
            "CREATE INDEX runs_open ON runs (id) WHERE is_closed = 0",
            """
            CREATE TABLE run_results (
                run_id TEXT NOT NULL REFERENCES runs (id),
                bib INTEGER NOT NULL,
                user_id INTEGER NOT NULL REFERENCES users (id),
                started_at_ms INTEGER,
                finished_at_ms INTEGER,
                distance REAL NOT NULL,
                missed TEXT NOT NULL,
                splits TEXT NOT NULL,
                PRIMARY KEY (run_id, bib)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE UNIQUE INDEX run_results_of_user ON run_results (user_id, run_id)",
        ])

    /// The time by which finishers are ranked.
    static let rankingColumns = [
        "ALTER TABLE runs ADD COLUMN ranked_by TEXT NOT NULL DEFAULT 'own'"
    ]
}
