extension Migration {
    /// Passkeys, and by which name, that says nothing, authenticators know their owners.
    static let passkeys = Migration(
        number: 12,
        statements: [
            // challenge_at_ms: when the last challenge that it has signed was made; it signs none
            // from before. public_key: COSE.
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
            // challenge_at_ms: when the last challenge was made to which a passkey was added; none is
            // added to one from before.
            """
            CREATE TABLE passkey_handles (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                handle BLOB NOT NULL,
                challenge_at_ms INTEGER NOT NULL
            ) STRICT
            """,
        ])
}
