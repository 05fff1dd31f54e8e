extension Migration {
    /// Password requests and the links for them.
    static let forgottenPasswords = Migration(
        number: 13,
        statements: [
            // `login` is what was typed, until it is resolved to a user. Without due_at_ms nothing
            // more is sent: the row counts for a day.
            """
            CREATE TABLE password_requests (
                id TEXT PRIMARY KEY,
                login TEXT,
                user_id INTEGER REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                lent INTEGER NOT NULL DEFAULT 0,
                due_at_ms INTEGER
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE INDEX password_requests_due ON password_requests (due_at_ms)
                WHERE due_at_ms IS NOT NULL
            """,
            """
            CREATE INDEX password_requests_of_user ON password_requests (user_id)
                WHERE user_id IS NOT NULL
            """,
            "CREATE INDEX password_requests_by_time ON password_requests (at_ms)",
            // A requested link does not end one of the operator's.
            "ALTER TABLE account_links RENAME TO earlier_account_links",
            """
            CREATE TABLE account_links (
                user_id INTEGER NOT NULL REFERENCES users (id),
                purpose TEXT NOT NULL CHECK (purpose IN ('password', 'forgotten', 'email')),
                token_hash BLOB NOT NULL UNIQUE,
                expires_at_ms INTEGER NOT NULL,
                PRIMARY KEY (user_id, purpose)
            ) STRICT, WITHOUT ROWID
            """,
            """
            INSERT INTO account_links (user_id, purpose, token_hash, expires_at_ms)
            SELECT user_id, purpose, token_hash, expires_at_ms FROM earlier_account_links
            """,
            "DROP TABLE earlier_account_links",
        ])
}
