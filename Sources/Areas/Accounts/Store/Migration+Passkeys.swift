extension Migration {
    /// Passkeys, and the meaningless names by which authenticators know their owners.
    static let passkeys = Migration(
        number: 12,
        statements: [
            // challenge_at_ms: when the last challenge that it signed was created; earlier ones are
            // rejected. public_key: COSE.
            """
            CREATE TABLE passkeys (
                id TEXT PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                credential_id BLOB NOT NULL UNIQUE,
                public_key BLOB NOT NULL,
                sign_count INTEGER NOT NULL,
                is_synced INTEGER NOT NULL CHECK (is_synced IN (0, 1)),
                label TEXT NOT NULL,
                added_at_ms INTEGER NOT NULL,
                used_at_ms INTEGER,
                challenge_at_ms INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX passkeys_of_user ON passkeys (user_id)",
            // challenge_at_ms: when the challenge of the last added passkey was created; earlier
            // ones are rejected.
            """
            CREATE TABLE passkey_handles (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                handle BLOB NOT NULL,
                challenge_at_ms INTEGER NOT NULL
            ) STRICT
            """,
        ])
}
