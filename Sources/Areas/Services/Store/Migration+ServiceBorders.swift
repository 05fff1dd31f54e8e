extension Migration {
    /// The people whom services have asked, read and stream, and the services' addresses.
    static let serviceBorders = [
        // Each person, or name without a user, that a service has asked for. `mark`: of the name or
        // number; `asked`: the text of the request, until it is resolved to users.
        """
        CREATE TABLE asked_people (
            id INTEGER PRIMARY KEY,
            service_id INTEGER NOT NULL REFERENCES users (id),
            company_id INTEGER NOT NULL REFERENCES users (id),
            mark BLOB NOT NULL,
            at_ms INTEGER NOT NULL,
            asked TEXT,
            reason TEXT,
            due_at_ms INTEGER,
            UNIQUE (service_id, mark)
        ) STRICT
        """,
        "CREATE INDEX asked_people_of_company ON asked_people (company_id, at_ms)",
        "CREATE INDEX asked_people_by_age ON asked_people (at_ms)",
        "CREATE INDEX asked_people_due ON asked_people (due_at_ms) WHERE due_at_ms IS NOT NULL",
        // `asked`: the mark of what was asked; `by_number`: a number rather than a name; `streams`:
        // for streaming.
        "ALTER TABLE data_requests ADD COLUMN asked BLOB",
        "ALTER TABLE data_requests ADD COLUMN by_number INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE data_requests ADD COLUMN streams INTEGER NOT NULL DEFAULT 0",
        """
        CREATE INDEX data_requests_open ON data_requests (at_ms) WHERE answered_at_ms IS NULL
        """,
        // When publishing of samples was allowed: existing subscriptions count as allowed.
        "ALTER TABLE service_consents ADD COLUMN streams_since_ms INTEGER",
        "UPDATE service_consents SET streams_since_ms = subscribed_at_ms",
        "ALTER TABLE services ADD COLUMN address TEXT",
        // The data read or passed on, as bits, and its time range.
        "ALTER TABLE access_log ADD COLUMN data INTEGER",
        "ALTER TABLE access_log ADD COLUMN from_ms INTEGER",
        "ALTER TABLE access_log ADD COLUMN to_ms INTEGER",
        "CREATE INDEX vitals_by_arrival ON vitals (user_id, id)",
        // `email`: a mail that confirms an address; otherwise one that sets a password.
        "ALTER TABLE password_requests ADD COLUMN purpose TEXT NOT NULL DEFAULT 'forgotten'",
    ]
}
