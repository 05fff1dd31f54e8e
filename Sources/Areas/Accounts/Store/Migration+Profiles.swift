extension Migration {
    /// What people add to their accounts, and what helpers say to a call for help.
    static let profiles = Migration(
        number: 25,
        statements: [
            // avatar: a PNG, which avatar_digest names.
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
            // When the helper said so; not_coming_at_ms: when they first took it back.
            "ALTER TABLE acknowledgements ADD COLUMN coming_at_ms INTEGER",
            "ALTER TABLE acknowledgements ADD COLUMN not_coming_at_ms INTEGER",
            "ALTER TABLE acknowledgements ADD COLUMN called_at_ms INTEGER",
        ])
}
