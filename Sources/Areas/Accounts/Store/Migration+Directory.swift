extension Migration {
    /// Accounts whose passwords a directory (LDAP) checks.
    static let directory = Migration(
        number: 23,
        statements: [
            // entry: identifies the directory's entry. login: as its owner types it.
            // confirmed_at_ms: when the directory last knew them. missed: how many times in a row
            // it did not; gone_at_ms: since when that counts. due_at_ms: when the directory is next
            // asked.
            """
            CREATE TABLE directory_accounts (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                entry TEXT NOT NULL UNIQUE,
                login TEXT NOT NULL,
                confirmed_at_ms INTEGER NOT NULL,
                missed INTEGER NOT NULL DEFAULT 0,
                gone_at_ms INTEGER,
                due_at_ms INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX directory_accounts_due ON directory_accounts (due_at_ms)",
        ])
}
