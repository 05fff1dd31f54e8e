extension Migration {
    /// People and links, besides services, that look at a user. `service` and `company`: names at
    /// that time; `viewer_id`: a person.
    static let accessLog = [
        """
        CREATE TABLE access_entries (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES users (id),
            at_ms INTEGER NOT NULL,
            service TEXT,
            company TEXT,
            viewer_id INTEGER REFERENCES users (id),
            share TEXT,
            what TEXT NOT NULL,
            count INTEGER
        ) STRICT
        """,
        """
        INSERT INTO access_entries (id, user_id, at_ms, service, company, what, count)
        SELECT id, user_id, at_ms, service, company, what, count FROM access_log
        """,
        "DROP TABLE access_log",
        "ALTER TABLE access_entries RENAME TO access_log",
        "CREATE INDEX access_log_of_user ON access_log (user_id, id)",
        "CREATE INDEX access_log_by_service ON access_log (user_id, service, id)",
        """
        CREATE INDEX access_log_by_viewer ON access_log (viewer_id, user_id, what, id)
            WHERE viewer_id IS NOT NULL
        """,
    ]
}
