extension Migration {
    /// Programs that see what a group sees.
    static let observers = Migration(
        number: 26,
        statements: [
            // `user_id`: the member who created it.
            """
            CREATE TABLE observers (
                id TEXT PRIMARY KEY,
                group_id INTEGER NOT NULL REFERENCES groups (id),
                user_id INTEGER NOT NULL REFERENCES users (id),
                name TEXT NOT NULL,
                token_hash BLOB NOT NULL,
                at_ms INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX observers_of_user ON observers (user_id)",
            "CREATE INDEX observers_of_group ON observers (group_id)",
        ])
}
