extension Migration {
    /// Measurements of wearables, encrypted.
    static let vitals = Migration(
        number: 15,
        statements: [
            """
            CREATE TABLE vitals_consents (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                version TEXT,
                ended_at_ms INTEGER
            ) STRICT
            """,
            "CREATE INDEX vitals_consents_of_user ON vitals_consents (user_id)",
            // `kinds`: the kinds measured; `sealed`: the values, opened by the key with that
            // number.
            """
            CREATE TABLE vitals (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                device_id INTEGER NOT NULL REFERENCES devices (id),
                taken_at_ms INTEGER NOT NULL,
                received_at_ms INTEGER NOT NULL,
                seq INTEGER,
                kinds INTEGER NOT NULL,
                key_id INTEGER NOT NULL,
                sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX vitals_of_device ON vitals (device_id, taken_at_ms)",
            "CREATE INDEX vitals_of_user ON vitals (user_id, taken_at_ms, id)",
            "CREATE INDEX vitals_by_key ON vitals (key_id)",
            // Pending deletions by users: data measured between these times, and stored before the
            // row with that number.
            """
            CREATE TABLE vitals_deletions (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                from_ms INTEGER NOT NULL,
                to_ms INTEGER NOT NULL,
                below_id INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX vitals_deletions_of_user ON vitals_deletions (user_id)",
        ])

    /// Completed deletions by users: data measured between these times that arrives later is not
    /// stored.
    static let deletedVitalsTable = [
        """
        CREATE TABLE deleted_vitals (
            user_id INTEGER NOT NULL REFERENCES users (id),
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL,
            PRIMARY KEY (user_id, from_ms)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX deleted_vitals_by_end ON deleted_vitals (to_ms)",
    ]
}
