extension Migration {
    /// The last number assigned to a row of each kind; see ``Transaction/nextNumber(of:)``.
    static let lastNumbers = Migration(
        number: 29,
        statements: [
            """
            CREATE TABLE last_numbers (
                kind TEXT PRIMARY KEY, number INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "INSERT INTO last_numbers SELECT 'users', COALESCE(MAX(id), 0) FROM users",
            "INSERT INTO last_numbers SELECT 'groups', COALESCE(MAX(id), 0) FROM groups",
            """
            INSERT INTO last_numbers SELECT 'devices', COALESCE(MAX(id), 0) FROM (
                SELECT MAX(id) AS id FROM devices UNION ALL SELECT MAX(device_id) FROM erasures
            ) AS known
            """,
        ])
}
