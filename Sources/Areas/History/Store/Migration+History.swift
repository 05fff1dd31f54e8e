extension Migration {
    /// People's imports from elsewhere: they are kept apart from the fixes, which are shown to
    /// others and determine the state.
    static let history = Migration(
        number: 18,
        statements: [
            // `at_ms`: when positions were last added; `is_deleted`: its positions are being
            // deleted, and appear in no answer.
            """
            CREATE TABLE imports (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                source TEXT NOT NULL,
                at_ms INTEGER NOT NULL,
                positions INTEGER NOT NULL,
                is_deleted INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            "CREATE INDEX imports_of_user ON imports (user_id)",
            "CREATE UNIQUE INDEX imports_by_source ON imports (user_id, source) WHERE is_deleted = 0",
            "CREATE INDEX imports_by_age ON imports (at_ms) WHERE is_deleted = 0",
            "CREATE INDEX imports_deleted ON imports (id) WHERE is_deleted = 1",
            // One position per user and moment.
            """
            CREATE TABLE imported_positions (
                user_id INTEGER NOT NULL REFERENCES users (id),
                taken_at_ms INTEGER NOT NULL,
                import_id INTEGER NOT NULL REFERENCES imports (id),
                latitude_e7 INTEGER NOT NULL,
                longitude_e7 INTEGER NOT NULL,
                accuracy REAL,
                altitude REAL,
                heading REAL,
                speed REAL,
                PRIMARY KEY (user_id, taken_at_ms)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX imported_positions_of_import ON imported_positions (import_id)",
        ])
}
