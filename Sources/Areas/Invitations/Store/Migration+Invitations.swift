extension Migration {
    /// Invitations to groups, and the users who may add a person without asking.
    static let invitations = Migration(
        number: 10,
        statements: [
            // `invitee`: as written by the inviter. Once decided, `user_id` is the user whom it
            // refers to, if any, and `told` whether it reached them.
            """
            CREATE TABLE invitations (
                id TEXT PRIMARY KEY,
                group_id INTEGER NOT NULL REFERENCES groups (id),
                by_id INTEGER NOT NULL REFERENCES users (id),
                invitee TEXT,
                user_id INTEGER REFERENCES users (id),
                told INTEGER CHECK (told IN (0, 1)),
                token_hash BLOB,
                uses INTEGER NOT NULL,
                used INTEGER NOT NULL,
                at_ms INTEGER NOT NULL,
                expires_at_ms INTEGER NOT NULL,
                ended_at_ms INTEGER,
                declined_at_ms INTEGER
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX invitations_of_group ON invitations (group_id)",
            "CREATE INDEX invitations_by ON invitations (by_id, user_id)",
            """
            CREATE INDEX invitations_of_user ON invitations (user_id) WHERE user_id IS NOT NULL
            """,
            """
            CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash)
                WHERE token_hash IS NOT NULL
            """,
            """
            CREATE INDEX undecided_invitations ON invitations (id)
                WHERE invitee IS NOT NULL AND told IS NULL
            """,
            "CREATE INDEX invitations_expire ON invitations (expires_at_ms)",
            "ALTER TABLE users ADD COLUMN addable_by TEXT",
        ])
}
