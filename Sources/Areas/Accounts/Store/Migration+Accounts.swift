extension Migration {
    /// Links, the second factor, terms, and when devices were used.
    static let accounts = Migration(
        number: 9,
        statements: [
            "ALTER TABLE users ADD COLUMN email_verified_at_ms INTEGER",
            "ALTER TABLE users ADD COLUMN terms_version TEXT",
            "ALTER TABLE users ADD COLUMN terms_accepted_at_ms INTEGER",
            // last_seen_ms, to the hour: when the device last reported. unused_since_ms: that, or
            // when its token was created. A device that its owner removed is kept as long as fixes
            // refer to it.
            "ALTER TABLE devices ADD COLUMN last_seen_ms INTEGER",
            "ALTER TABLE devices ADD COLUMN unused_since_ms INTEGER",
            "ALTER TABLE devices ADD COLUMN removed_at_ms INTEGER",
            """
            CREATE INDEX devices_unused ON devices (unused_since_ms) WHERE token_hash IS NOT NULL
            """,
            """
            CREATE INDEX devices_removed ON devices (removed_at_ms) WHERE removed_at_ms IS NOT NULL
            """,
            // Only the newest per user and purpose.
            """
            CREATE TABLE account_links (
                user_id INTEGER NOT NULL REFERENCES users (id),
                purpose TEXT NOT NULL CHECK (purpose IN ('password', 'email')),
                token_hash BLOB NOT NULL UNIQUE,
                expires_at_ms INTEGER NOT NULL,
                PRIMARY KEY (user_id, purpose)
            ) STRICT, WITHOUT ROWID
            """,
            // last_step: the step of the last accepted code. Not confirmed: being set up.
            """
            CREATE TABLE second_factors (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                secret BLOB NOT NULL,
                started_at_ms INTEGER NOT NULL,
                confirmed_at_ms INTEGER,
                last_step INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE recovery_codes (
                user_id INTEGER NOT NULL REFERENCES users (id),
                code_hash BLOB NOT NULL,
                PRIMARY KEY (user_id, code_hash)
            ) STRICT, WITHOUT ROWID
            """,
        ])
}
