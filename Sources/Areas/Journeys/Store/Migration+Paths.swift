extension Migration {
    /// The stored length of a path, so that its points need not be counted, and the sweep's
    /// indexes.
    static let paths = Migration(
        number: 4,
        statements: [
            // Counted once, when a path has ended; null until then.
            "ALTER TABLE paths ADD COLUMN point_count INTEGER",
            """
            UPDATE paths SET point_count = (
                SELECT COUNT(*) FROM path_points p
                WHERE p.user_id = paths.user_id AND p.number = paths.number)
            WHERE ended_at_ms IS NOT NULL
            """,
            "CREATE INDEX paths_by_end ON paths (ended_at_ms, user_id, number)",
            "CREATE INDEX path_groups_by_path ON path_groups (user_id, number)",
            "CREATE INDEX fix_runs_by_fix ON fix_runs (last_fix_id, device_id)",
        ])
}
