extension Migration {
    /// Notices are kept.
    static let notices = Migration(
        number: 7,
        statements: [
            """
            CREATE TABLE notices (
                id TEXT PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                kind TEXT NOT NULL,
                details BLOB NOT NULL,
                about_id INTEGER REFERENCES users (id),
                about_name TEXT,
                by_id INTEGER REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                seen_at_ms INTEGER
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX notices_of_user ON notices (user_id, id)",
            """
            CREATE INDEX unseen_notices ON notices (user_id, id) WHERE seen_at_ms IS NULL
            """,
            """
            CREATE INDEX notices_about ON notices (about_id) WHERE about_id IS NOT NULL
            """,
            "CREATE INDEX notices_by ON notices (by_id) WHERE by_id IS NOT NULL",
            "CREATE INDEX notices_at ON notices (at_ms)",
        ])
}
