extension Migration {
    /// The remains of deleted accounts and closed groups, to be deleted step by step; and only the
    /// newest path of SOS calls is shown.
    static let remains = Migration(
        number: 6,
        statements: [
            // Their rows stay, emptied, as long as others refer to them.
            """
            CREATE TABLE erased_users (
                user_id INTEGER PRIMARY KEY REFERENCES users (id)
            ) STRICT
            """,
            """
            CREATE TABLE closed_groups (
                group_id INTEGER PRIMARY KEY REFERENCES groups (id)
            ) STRICT
            """,
            // The people who may still be mentioned in answers to others, and the last answer
            // checked.
            """
            CREATE TABLE mentions (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                display_name TEXT NOT NULL,
                device_id INTEGER NOT NULL,
                request TEXT NOT NULL
            ) STRICT
            """,
            // A path that has ended and is still shown belongs to an SOS: earlier ones are hidden
            // from everyone.
            """
            DELETE FROM path_groups WHERE EXISTS (
                SELECT 1 FROM path_groups newer
                JOIN paths p ON p.user_id = newer.user_id AND p.number = newer.number
                WHERE newer.group_id = path_groups.group_id
                    AND newer.user_id = path_groups.user_id
                    AND newer.number > path_groups.number AND p.ended_at_ms IS NOT NULL)
            """,
        ])
}
