extension Migration {
    /// Companies, their services, and people's consents.
    static let services = Migration(
        number: 16,
        statements: [
            // `person`, `company` or `service`.
            "ALTER TABLE users ADD COLUMN kind TEXT NOT NULL DEFAULT 'person'",
            // A service is also a user; `data`: the data it receives, as bits.
            """
            CREATE TABLE services (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                company_id INTEGER NOT NULL REFERENCES users (id),
                description TEXT NOT NULL,
                data INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX services_of_company ON services (company_id)",
            """
            CREATE TABLE service_consents (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                service_id INTEGER NOT NULL REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                ended_at_ms INTEGER,
                subscribed_at_ms INTEGER
            ) STRICT
            """,
            "CREATE INDEX service_consents_of_user ON service_consents (user_id, id)",
            "CREATE INDEX service_consents_of_service ON service_consents (service_id, id)",
            """
            CREATE TABLE data_requests (
                id TEXT PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                service_id INTEGER NOT NULL REFERENCES users (id),
                company_id INTEGER NOT NULL REFERENCES users (id),
                reason TEXT NOT NULL,
                at_ms INTEGER NOT NULL,
                answered_at_ms INTEGER,
                is_allowed INTEGER
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX data_requests_of_user ON data_requests (user_id, id)",
            "CREATE INDEX data_requests_of_service ON data_requests (service_id, id)",
            "CREATE INDEX data_requests_of_company ON data_requests (company_id, id)",
            // Ranges of a user's fixes that arrived during a pause: services cannot read them.
            """
            CREATE TABLE paused_fixes (
                user_id INTEGER NOT NULL REFERENCES users (id),
                first_id INTEGER NOT NULL,
                last_id INTEGER NOT NULL,
                PRIMARY KEY (user_id, first_id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX paused_fixes_by_age ON paused_fixes (last_id)",
            // Names at that time: the record of a reading outlives the service.
            """
            CREATE TABLE access_log (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                service TEXT NOT NULL,
                company TEXT NOT NULL,
                what TEXT NOT NULL,
                count INTEGER
            ) STRICT
            """,
            "CREATE INDEX access_log_of_user ON access_log (user_id, id)",
            "CREATE INDEX access_log_by_service ON access_log (user_id, service, id)",
        ] + healthProfiles)
}
