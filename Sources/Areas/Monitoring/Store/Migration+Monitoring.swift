extension Migration {
    /// Monitoring vital signs, and calling for help because of them.
    static let monitoring = Migration(
        number: 19,
        statements: [
            // Consents; a person's newest row is valid.
            """
            CREATE TABLE monitoring_consents (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                ended_at_ms INTEGER
            ) STRICT
            """,
            "CREATE INDEX monitoring_consents_of_user ON monitoring_consents (user_id)",
            """
            CREATE INDEX monitoring_consents_over ON monitoring_consents (ended_at_ms)
                WHERE ended_at_ms IS NOT NULL
            """,
            // For people with a consent: the last measurements and their evaluation, opened by the
            // key with that number.
            """
            CREATE TABLE monitors (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                since_ms INTEGER NOT NULL,
                key_id INTEGER NOT NULL,
                sealed BLOB NOT NULL
            ) STRICT
            """,
        ] + incidents + maintenances)
}
