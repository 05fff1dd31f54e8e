extension Migration {
    /// Links that show people without an account where a person is.
    static let shareLinks = Migration(
        number: 11,
        statements: [
            // `salt` and the secret behind `token_hash` yield the secret behind `view_hash`.
            // `journey` is the number of the journey's path.
            """
            CREATE TABLE share_links (
                id TEXT PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                what TEXT NOT NULL,
                journey INTEGER,
                precision TEXT NOT NULL,
                token_hash BLOB NOT NULL,
                salt TEXT NOT NULL,
                view_hash BLOB NOT NULL,
                at_ms INTEGER NOT NULL,
                until_ms INTEGER NOT NULL,
                opened INTEGER NOT NULL DEFAULT 0,
                opened_at_ms INTEGER,
                journey_end TEXT,
                ended_at_ms INTEGER
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX share_links_of_user ON share_links (user_id)",
            "CREATE UNIQUE INDEX share_links_by_token ON share_links (token_hash)",
            "CREATE INDEX open_share_links ON share_links (user_id) WHERE ended_at_ms IS NULL",
            """
            CREATE INDEX ended_share_links ON share_links (ended_at_ms)
                WHERE ended_at_ms IS NOT NULL
            """,
        ])
}
