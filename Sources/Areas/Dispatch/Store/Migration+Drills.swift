extension Migration {
    /// Drill calls. `next_at_ms`: when the next one is due; null once the drill is over.
    static let drills = Migration(
        number: 20,
        statements: [
            """
            CREATE TABLE drills (
                id TEXT PRIMARY KEY,
                area TEXT NOT NULL,
                kind TEXT NOT NULL,
                attempts INTEGER NOT NULL,
                next_at_ms INTEGER
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE drill_ways (
                drill_id TEXT NOT NULL REFERENCES drills (id),
                number INTEGER NOT NULL,
                way TEXT NOT NULL,
                result TEXT NOT NULL,
                PRIMARY KEY (drill_id, number)
            ) STRICT, WITHOUT ROWID
            """,
        ])
}
