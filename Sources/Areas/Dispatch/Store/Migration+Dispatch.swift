extension Migration {
    /// Calls for help to dispatch. A person has at most one that is open. `next_at_ms`: when
    /// dispatch is next called; `sealed`: the content, opened by the key with that number.
    static let incidents = [
        """
        CREATE TABLE incidents (
            id TEXT PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES users (id),
            status TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            messages INTEGER NOT NULL,
            next_at_ms INTEGER,
            closed_at_ms INTEGER,
            key_id INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX incidents_open ON incidents (user_id) WHERE closed_at_ms IS NULL",
        "CREATE INDEX incidents_of_user ON incidents (user_id, id)",
        "CREATE INDEX incidents_closed ON incidents (closed_at_ms) WHERE closed_at_ms IS NOT NULL",
        "CREATE INDEX incidents_by_key ON incidents (key_id)",
    ]
}
