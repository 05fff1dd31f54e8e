extension Migration {
    /// `starts_at` is in the local time of `time_zone`. `next_at_ms`: when the bridge next handles
    /// it; null once it was sent, and while `is_armed`: it waits for its owner to be near.
    /// `told_for_ms`: its times until then are done.
    static let reminderTables = [
        """
        CREATE TABLE reminders (
            id TEXT PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES users (id),
            place TEXT NOT NULL,
            place_name TEXT NOT NULL,
            latitude_e7 INTEGER NOT NULL,
            longitude_e7 INTEGER NOT NULL,
            text TEXT NOT NULL,
            starts_at TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            rrule TEXT,
            condition TEXT NOT NULL,
            radius_m REAL,
            next_at_ms INTEGER,
            is_armed INTEGER NOT NULL DEFAULT 0,
            told_at_ms INTEGER,
            told_for_ms INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX reminders_of_user ON reminders (user_id, id)",
        "CREATE INDEX reminders_due ON reminders (next_at_ms) WHERE next_at_ms IS NOT NULL",
        "CREATE INDEX reminders_armed ON reminders (user_id) WHERE is_armed = 1",
        "CREATE INDEX reminders_told ON reminders (told_at_ms) WHERE told_at_ms IS NOT NULL",
        "CREATE INDEX reminders_of_opening ON reminders (place, id) WHERE condition = 'opens'",
    ]
}
