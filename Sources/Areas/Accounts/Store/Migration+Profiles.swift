extension Migration {
    /// Account details, and helpers' responses to a call for help.
    static let profiles = Migration(
        number: 25,
        statements: [
            // avatar: a PNG, identified by avatar_digest.
            """
            CREATE TABLE profiles (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                phone TEXT,
                phone_shown_to TEXT NOT NULL DEFAULT 'sos',
                language TEXT,
                avatar BLOB,
                avatar_digest TEXT
            ) STRICT
            """,
            // When the helper said so; not_coming_at_ms: when they first withdrew it.
            "ALTER TABLE acknowledgements ADD COLUMN coming_at_ms INTEGER",
            "ALTER TABLE acknowledgements ADD COLUMN not_coming_at_ms INTEGER",
            "ALTER TABLE acknowledgements ADD COLUMN called_at_ms INTEGER",
        ])
}
