extension Migration {
    /// A place without `user_id` belongs to its group only: its maker's account is deleted.
    /// `source`: the app that it came from, and its id there. A rule has either `watched_id` or
    /// `watched_group_id`; `told_id` or `told_group_id`, or neither to notify its maker.
    /// `due_at_ms`: when a person next has to be there. `agrees`: null until answered.
    static let geofenceTables = [
        """
        CREATE TABLE geofences (
            id TEXT PRIMARY KEY,
            user_id INTEGER REFERENCES users (id),
            group_id INTEGER REFERENCES groups (id),
            source TEXT,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            latitude_e7 INTEGER NOT NULL,
            longitude_e7 INTEGER NOT NULL,
            radius_m REAL NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX geofences_of_user ON geofences (user_id)",
        "CREATE INDEX geofences_of_group ON geofences (group_id) WHERE group_id IS NOT NULL",
        """
        CREATE TABLE geofence_rules (
            id TEXT PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES users (id),
            geofence_id TEXT NOT NULL REFERENCES geofences (id),
            event TEXT NOT NULL,
            by_minute INTEGER,
            watched_id INTEGER REFERENCES users (id),
            watched_group_id INTEGER REFERENCES groups (id),
            told_id INTEGER REFERENCES users (id),
            told_group_id INTEGER REFERENCES groups (id),
            days INTEGER,
            from_minute INTEGER,
            to_minute INTEGER,
            time_zone TEXT,
            is_once INTEGER NOT NULL,
            due_at_ms INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX geofence_rules_of_user ON geofence_rules (user_id)",
        "CREATE INDEX geofence_rules_at ON geofence_rules (geofence_id)",
        "CREATE INDEX geofence_rules_about ON geofence_rules (watched_id)",
        "CREATE INDEX geofence_rules_telling ON geofence_rules (told_id)",
        "CREATE INDEX geofence_rules_about_group ON geofence_rules (watched_group_id)",
        "CREATE INDEX geofence_rules_telling_group ON geofence_rules (told_group_id)",
        """
        CREATE TABLE geofence_consents (
            rule_id TEXT NOT NULL REFERENCES geofence_rules (id),
            user_id INTEGER NOT NULL REFERENCES users (id),
            agrees INTEGER,
            answered_at_ms INTEGER,
            PRIMARY KEY (rule_id, user_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX geofence_consents_of_user ON geofence_consents (user_id)",
        """
        CREATE TABLE geofence_presences (
            geofence_id TEXT NOT NULL REFERENCES geofences (id),
            user_id INTEGER NOT NULL REFERENCES users (id),
            side TEXT,
            since_ms INTEGER,
            candidate TEXT,
            candidate_since_ms INTEGER,
            PRIMARY KEY (geofence_id, user_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX geofence_presences_of_user ON geofence_presences (user_id)",
    ]

    /// The place as the rule's maker knows it, if others have changed it since; null if it is
    /// unchanged.
    static let knownPlaceColumns = [
        "ALTER TABLE geofence_rules ADD COLUMN known_name TEXT",
        "ALTER TABLE geofence_rules ADD COLUMN known_latitude_e7 INTEGER",
        "ALTER TABLE geofence_rules ADD COLUMN known_longitude_e7 INTEGER",
        "ALTER TABLE geofence_rules ADD COLUMN known_radius_m REAL",
    ]

    /// Whether the candidate suffices if no position contradicts it.
    static let clearPositionColumns = [
        "ALTER TABLE geofence_presences ADD COLUMN is_clear INTEGER NOT NULL DEFAULT 0"
    ]
}
