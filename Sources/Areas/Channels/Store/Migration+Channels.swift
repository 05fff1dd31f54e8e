extension Migration {
    /// Channels, their deliveries, and the key that signs pushes.
    static let channels = Migration(
        number: 8,
        statements: [
            """
            CREATE TABLE channels (
                id TEXT PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                device_id INTEGER REFERENCES devices (id),
                kind TEXT NOT NULL,
                address TEXT NOT NULL,
                label TEXT NOT NULL,
                public_key BLOB,
                secret BLOB,
                news TEXT NOT NULL,
                added_at_ms INTEGER NOT NULL,
                code_hash BLOB,
                code_attempts INTEGER NOT NULL DEFAULT 0,
                confirmed_at_ms INTEGER,
                tried_at_ms INTEGER,
                worked_at_ms INTEGER,
                failed_at_ms INTEGER,
                failure TEXT,
                UNIQUE (user_id, kind, address)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX channels_of_device ON channels (device_id) WHERE device_id IS NOT NULL",
            "CREATE INDEX channels_at_address ON channels (address)",
            """
            CREATE TABLE deliveries (
                channel_id TEXT NOT NULL REFERENCES channels (id),
                message_id TEXT NOT NULL,
                user_id INTEGER NOT NULL REFERENCES users (id),
                about_id INTEGER REFERENCES users (id),
                group_id INTEGER REFERENCES groups (id),
                alert_id TEXT,
                kind TEXT NOT NULL,
                title TEXT NOT NULL,
                words TEXT NOT NULL,
                page_view TEXT NOT NULL,
                details BLOB,
                at_ms INTEGER NOT NULL,
                urgency INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                lent INTEGER NOT NULL DEFAULT 0,
                due_at_ms INTEGER NOT NULL,
                expires_at_ms INTEGER NOT NULL,
                PRIMARY KEY (channel_id, message_id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX deliveries_due ON deliveries (urgency DESC, due_at_ms)",
            "CREATE INDEX deliveries_by_time ON deliveries (due_at_ms)",
            "CREATE INDEX deliveries_lent ON deliveries (lent) WHERE lent = 1",
            "CREATE INDEX deliveries_of_user ON deliveries (user_id)",
            "CREATE INDEX deliveries_about ON deliveries (about_id) WHERE about_id IS NOT NULL",
            "CREATE INDEX deliveries_in_group ON deliveries (group_id) WHERE group_id IS NOT NULL",
            "CREATE INDEX deliveries_of_alert ON deliveries (alert_id) WHERE alert_id IS NOT NULL",
            "CREATE TABLE service_keys (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT",
        ])
}
